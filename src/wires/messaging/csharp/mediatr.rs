//! MediatR: `IPublisher.Publish` of a notification, `INotificationHandler<T>`. Requests have one handler in the same process: they are calls.

use super::typed::{Bus, bus_library};
use crate::languages::csharp::schema::Serialiser;

static BUS: Bus = Bus {
    name: "MediatR",
    senders: &["IPublisher", "IMediator", "Mediator"],
    sends: &["Publish"],
    chains: |_| false,
    makes: |_| false,
    members: &[],
    handlers: &["INotificationHandler", "NotificationHandler"],
    machines: &[],
    events: &[],
    serialiser: Serialiser::Plain,
};

bus_library!(MEDIATR, BUS, package: "MediatR");
