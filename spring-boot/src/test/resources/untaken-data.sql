insert into account (id, username) values (-1, 'carol');
