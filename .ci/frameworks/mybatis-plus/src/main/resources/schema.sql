create table account (id bigint primary key, username varchar(40) unique);
