package outside;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Site {
    public static void main(String[] arguments) {
        SpringApplication.run(Site.class, arguments);
    }
}
