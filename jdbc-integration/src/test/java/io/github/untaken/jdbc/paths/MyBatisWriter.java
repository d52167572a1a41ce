package io.github.untaken.jdbc.paths;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.builder.xml.XMLMapperBuilder;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** A mapper of MyBatis; lists go through its batch executor. */
final class MyBatisWriter implements Way.Writer {
    private final SqlSessionFactory sessions;
    private final Class<? extends Users> mapper;
    private final String table;

    /** A row whose id the database makes. */
    public static final class User {
        public long id;
        public String name;
        public String table;
    }

    public interface Users {
        void insert(User user);

        void rename(@Param("table") String table, @Param("name") String name, @Param("to") String to);

        void delete(@Param("table") String table, @Param("name") String name);
    }

    public interface AnnotatedUsers extends Users {
        @Override
        @Insert("insert into ${table} (username) values (#{name})")
        @Options(useGeneratedKeys = true, keyProperty = "id", keyColumn = "id")
        void insert(User user);

        @Override
        @Update("update ${table} set username = #{to} where username = #{name}")
        void rename(@Param("table") String table, @Param("name") String name, @Param("to") String to);

        @Override
        @Delete("delete from ${table} where username = #{name}")
        void delete(@Param("table") String table, @Param("name") String name);
    }

    public interface XmlUsers extends Users {}

    private static final String XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE mapper PUBLIC "-//mybatis.org//DTD Mapper 3.0//EN" "https://mybatis.org/dtd/mybatis-3-mapper.dtd">
            <mapper namespace="io.github.untaken.jdbc.paths.MyBatisWriter$XmlUsers">
              <insert id="insert" useGeneratedKeys="true" keyProperty="id" keyColumn="id">
                INSERT INTO ${table}
                <trim prefix="(" suffix=")" suffixOverrides=",">
                  <if test="name != null">username,</if>
                </trim>
                <trim prefix="VALUES (" suffix=")" suffixOverrides=",">
                  <if test="name != null">#{name, jdbcType=VARCHAR},</if>
                </trim>
              </insert>
              <update id="rename">
                UPDATE ${table} <set><if test="to != null">username = #{to},</if></set>
                WHERE username = #{name}
              </update>
              <delete id="delete">DELETE FROM ${table} WHERE username = #{name}</delete>
            </mapper>
            """;

    MyBatisWriter(DataSource dataSource, String table, boolean xml) {
        this.table = table;
        this.mapper = xml ? XmlUsers.class : AnnotatedUsers.class;
        Configuration configuration =
                new Configuration(new Environment("test", new JdbcTransactionFactory(), dataSource));
        if (xml) {
            new XMLMapperBuilder(
                            new ByteArrayInputStream(XML.getBytes(StandardCharsets.UTF_8)),
                            configuration,
                            "users.xml",
                            configuration.getSqlFragments())
                    .parse();
        } else {
            configuration.addMapper(AnnotatedUsers.class);
        }
        sessions = new SqlSessionFactoryBuilder().build(configuration);
    }

    @Override
    public void inTransaction(Names.Steps steps) {
        inSession(ExecutorType.SIMPLE, steps);
    }

    /** A list that comes first in its transaction goes through the executor for batches. */
    private void inSession(ExecutorType type, Names.Steps steps) {
        try (SqlSession session = sessions.openSession(type, false)) {
            try {
                steps.on(new InSession(session));
                session.commit(true);
            } catch (RuntimeException e) {
                session.rollback(true);
                throw e;
            }
        }
    }

    @Override
    public void insertAlone(String name) {
        try (SqlSession session = sessions.openSession(true)) {
            new InSession(session).insert(name);
        }
    }

    private final class InSession implements Names {
        private final SqlSession session;

        InSession(SqlSession session) {
            this.session = session;
        }

        private Users users() {
            return session.getMapper(mapper);
        }

        @Override
        public void insert(String name) {
            User user = new User();
            user.name = name;
            user.table = table;
            users().insert(user);
        }

        @Override
        public void insertAll(List<String> names) {
            inSession(ExecutorType.BATCH, batch -> names.forEach(batch::insert));
        }

        @Override
        public void rename(String name, String to) {
            users().rename(table, name, to);
        }

        @Override
        public void delete(String name) {
            users().delete(table, name);
        }

        @Override
        public void nested(Steps steps) {
            try {
                Savepoint savepoint = session.getConnection().setSavepoint();
                try {
                    steps.on(this);
                } catch (RuntimeException e) {
                    session.getConnection().rollback(savepoint);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void apart(Steps steps) {
            inTransaction(steps);
        }
    }
}
