#!/bin/sh
# Makes an ordinary role for Parley, with a database that it owns: row-level security does not hold a superuser. The
# image of PostgreSQL runs it when it makes an empty volume its own.
psql --username postgres --set ON_ERROR_STOP=1 --set password="$(cat "$POSTGRES_PASSWORD_FILE")" <<'SQL'
create role parley login password :'password';
create database parley owner parley;
SQL
