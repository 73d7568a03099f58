//! Suites over the shared vectors.
