create table users (id bigint auto_increment primary key, username varchar(40) unique);
insert into users (username) values ('scripted');
