"""The table server: HTTP and WebSocket, lobby, identity. `app.build(config)` creates the application."""
