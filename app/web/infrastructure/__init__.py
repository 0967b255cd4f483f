"""What every feature stands on: access, forms, fragments, headers, localization, logs, metrics."""
