package outside;

import io.dropwizard.core.Configuration;
import io.dropwizard.db.DataSourceFactory;

public class SignUpConfiguration extends Configuration {
    public DataSourceFactory database = new DataSourceFactory();
}
