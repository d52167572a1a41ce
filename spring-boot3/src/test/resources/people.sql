create table people (id int generated always as identity primary key, username varchar(64) not null unique);
