"""What an operator sees: logs, metrics, health."""
