//! BSON by reflection, in all compared forms, and by serde; and the worker that measures them.

pub mod codec;
pub mod format;
pub mod protocol;
pub mod subjects;
pub mod work;
