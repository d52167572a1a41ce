create table users (id bigint auto_increment primary key, username varchar(40) unique);
insert into users (username) values ('scripted');
create table member (id bigint auto_increment primary key, address varchar(40), state int);
insert into member (address, state) values ('gone@example.org', 3), ('here@example.org', 2);
