"""What the benchmarks share; importable because tests/bench/conftest.py puts it on the path."""
