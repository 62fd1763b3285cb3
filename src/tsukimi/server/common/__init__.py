"""What the other packages of the server share: errors, rate limits, the structs of the HTTP API."""
