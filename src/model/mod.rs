//! The vocabulary that code and contracts share: operations, channels, path templates, shapes; and the program tree that
//! every language is lowered to.

mod alike;
mod channel;
mod operation;
mod path;
pub mod program;
mod routing;
mod shape;
mod sight;
mod sighting;
mod unread;
pub mod walk;
mod wire;

pub use channel::{Action, Channel, ChannelParameter, Events, Exchange, Message, Reply, Server};
pub use operation::{
    Body, Condition, Implementation, Method, MountStep, Operation, Parameter, ParameterPlace, Request, Response,
    Status, is_of_every_message, is_of_the_way,
};
pub use path::PathTemplate;
pub use routing::{Handler, Naming, Routing};
pub use shape::{Additional, Field, Kind, Limits, Literal, Object, Shape, ShapeId, ShapeTable, Union, View};
pub use sight::{AssetUse, Seen, Sight, host_of, is_host_name};
pub use sighting::Sighting;
pub use unread::{Reach, UNKNOWN_PART, Unread};
pub use wire::{HttpCall, MessageUse, Model, Url, name_key};
