"""Between the operating system and uvicorn: limits on request heads, and on what each connection reads and buffers."""
