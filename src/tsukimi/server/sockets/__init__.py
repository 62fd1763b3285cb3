"""WebSockets: endpoints, the session of one person at one table, the connection with its outbox."""
