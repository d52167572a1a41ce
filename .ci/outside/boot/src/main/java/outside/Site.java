package outside;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class Site {}
