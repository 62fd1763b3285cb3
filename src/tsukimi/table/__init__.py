"""The authority at one table: seats, clocks, bots' turns, undo, takeover. No socket, no database."""
