"""Live tables: each one in memory with its presence, scheduler and broadcaster, and the registry of all."""
