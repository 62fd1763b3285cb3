"""The logic of one table: seats, clocks, bots' turns, undo, takeover. No sockets, no database."""
