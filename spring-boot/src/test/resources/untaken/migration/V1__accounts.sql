create sequence account_seq start with 1 increment by 50;
create table account (id bigint primary key, username varchar(64) unique);
insert into account (id, username) values (-1, 'carol');
