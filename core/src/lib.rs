//! core
#![no_std]
