//! Events and who sends and takes them, in the forms that texts have for them.

use crate::architect::decompose;

/// The events of a text: each name with publishers and consumers, `OrderPlaced: orders > mail, stock`.
fn told(text: &str) -> Vec<String> {
    let event = |it: crate::architect::DomainEvent| {
        format!("{}: {} > {}", it.name, it.publishers.join(", "), it.consumers.join(", "))
    };
    decompose(text).domain_model.events.into_iter().map(event).collect()
}

#[test]
fn tables_of_events_have_one_or_several_in_a_cell() {
    let text = "# Graphs\n\n## Event catalog\n\n| Entity | Event types |\n|---|---|\n| graph | `graph.created`, `graph.revised` \
                (structure) |\n| node | `node.created` (`{from, to}`), `node.removed` |\n";
    let names: Vec<String> = told(text).iter().filter_map(|it| Some(it.split_once(':')?.0.to_owned())).collect();
    assert_eq!(names, ["graph.created", "graph.revised", "node.created", "node.removed"]);

    let text = "# Pay\n\n## Webhooks\n\n| Event | When |\n|---|---|\n| `payment.failed` | The card is refused |\n| \
                `payment.succeeded` | All went well |\n";
    assert_eq!(told(text).len(), 2);
    // A table of things that happen to people has none.
    let text =
        "# Club\n\n## Calendar\n\n| Event | When |\n|---|---|\n| Summer party | June |\n| Annual meeting | May |\n";
    assert_eq!(told(text), Vec::<String>::new());
}

#[test]
fn rows_of_services_say_what_they_send_and_take() {
    let text = "# Booking\n\n| Service | Responsibility | Publishes | Consumes |\n|---|---|---|---|\n\
                | Booking Service | Bookings | BookingConfirmed | PaymentReceived |\n\
                | Payment Service | Payments | PaymentReceived | BookingConfirmed |\n";
    assert_eq!(
        told(text),
        ["BookingConfirmed: booking-service > payment-service", "PaymentReceived: payment-service > booking-service",]
    );
}

#[test]
fn catalogues_in_yaml_name_services_and_events() {
    let text = "# Shop\n\n```yaml\nservices:\n  orders:\n    publishes: [OrderPlaced]\n    consumes:\n      - PaymentCaptured\n  \
                payments:\n    events:\n      publishes: [PaymentCaptured]\n```\n";
    assert_eq!(told(text), ["OrderPlaced: orders > ", "PaymentCaptured: payments > orders"]);
    // Containers neither send nor take.
    let text = "# Shop\n\n```yaml\nservices:\n  db:\n    image: postgres\n    ports: [5432]\n```\n";
    assert_eq!(told(text), Vec::<String>::new());
}

#[test]
fn names_are_also_spelled_as_people_say_them() {
    let labelled = "# Library\n\n## Lending\n\n**Domain events:** Book lent, Book returned, Loan overdue\n";
    let listed = "# Library\n\n## Domain events\n\n1. Book lent\n2. Book returned (by its reader)\n3. Loan overdue\n";
    let flow =
        "# Library\n\n**Events** (in order of time)\nBook lent → Loan extended / Book returned → Copy checked in\n";
    let steps = "# Library\n\n- Command: Lend book → Event: Book lent → Policy: remind\n- Command: Return → Event: Book returned\n";
    for (text, count) in [(labelled, 3), (listed, 3), (flow, 4), (steps, 2)] {
        let found = told(text);
        assert_eq!(found.len(), count, "{text} has {found:?}");
        assert!(found[0].starts_with("Book lent:"), "{found:?}");
    }
    // What is to be done, and what a page shows, has not happened.
    for text in [
        "# Library\n\n## Events\n\n- Reading evening\n- Sale of used books\n- Show books lent\n",
        "# Library\n\nEvents: concerts, readings, workshops\n",
    ] {
        assert_eq!(told(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn sentences_say_who_sends_and_who_takes() {
    let text = "# Shop\n\nWhen a card is charged, the Payment Service publishes a PaymentSucceeded event. The Order Service raises an \
                \"Order placed\" event. The Stock Service subscribes to PaymentSucceeded.\n";
    assert_eq!(told(text), ["PaymentSucceeded: payment-service > stock-service", "Order placed: order-service > "]);
    let marked = "# Bakery\n\n- at cut-off `ordering` publishes **`orders.frozen`**\n- `dispatch` publishes `round.departed` -> \
                  `ordering`\n";
    assert_eq!(told(marked), ["orders.frozen: ordering > ", "round.departed: dispatch > ordering"]);
    let queue = "# Shop\n\n`stock` consumes from the queue `stock.orders`, and `billing` publishes `order.paid`.\n";
    assert_eq!(told(queue), ["order.paid: billing > "]);
}

#[test]
fn drawings_and_lines_of_arrows_have_both_ends() {
    let lines = "# Shop\n\n## Event flow\n\nOrderService → OrderPlaced → StockService, MailService\n";
    assert_eq!(told(lines), ["OrderPlaced: order-service > stock-service, mail-service"]);
    let sequence = "# Shop\n\n```mermaid\nsequenceDiagram\n  participant O as OrderService\n  participant S as stock-service\n  \
                    O->>Kafka: OrderPlaced\n  Kafka-->>S: OrderPlaced\n  S->>O: 200 OK\n```\n";
    assert_eq!(told(sequence), ["OrderPlaced: order-service > stock-service"]);
    // Calls are no events.
    let calls = "# Shop\n\n```mermaid\nsequenceDiagram\n  User->>UserController: create user\n  UserController->>UserService: save\n```\n";
    assert_eq!(told(calls), Vec::<String>::new());
}

#[test]
fn code_has_events_as_values_types_and_examples() {
    let text = "# Billing\n\n## Events\n\n```typescript\ninterface InvoiceCreatedEvent {\n  invoiceId: string;\n}\nenum EventType {\n  \
                PAID = 'invoice.paid',\n}\n```\n\n```json\n{ \"type\": \"refund.requested\", \"data\": { \"refundId\": \"r1\" } }\n```\n";
    let found = decompose(text);
    let names: Vec<&str> = found.domain_model.events.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["invoice.paid", "refund.requested", "InvoiceCreatedEvent"]);
    assert!(found.domain_model.entities.iter().all(|it| it.name != "InvoiceCreatedEvent"));
}

#[test]
fn sockets_have_names_with_colons() {
    let text =
        "# Chat\n\n## WebSocket events\n\n### Client to server\n\n- `message:send` with a text\n- `typing:start`\n";
    assert_eq!(told(text).len(), 2);
    let rights = "# Chat\n\n## Rights\n\n- `message:send` for members\n- `user:invite` for owners\n";
    assert_eq!(told(rights), Vec::<String>::new());
}

#[test]
fn who_sends_and_takes_may_be_named_without_saying_service() {
    let text = "# Repairs\n\n## Event catalog\n\n| Event | Publisher | Consumers |\n|---|---|---|\n\
                | `user.created` | identity | audit, notify |\n| `job.closed` | repair | audit (later), all |\n";
    assert_eq!(told(text), ["user.created: identity > audit, notify", "job.closed: repair > audit"]);
    let lines = "# Videos\n\n## Events\n\n### `video.uploaded`\n\nProducer: content service\n\nConsumers: media-worker service, audit service\n";
    assert_eq!(told(lines), ["video.uploaded: content > media-worker, audit"]);
    // What carries messages is none, and a book has a publisher.
    let exchanges = "# Videos\n\n## Events\n\n| Exchange | Type |\n|---|---|\n| `videos.events` | topic |\n| `videos.dlx` | topic |\n";
    assert_eq!(told(exchanges), Vec::<String>::new());
    let books = "# Books\n\n| Title | Publisher |\n|---|---|\n| Emma | murray |\n| Ulysses | shakespeare |\n";
    assert!(decompose(books).service_map.services.iter().all(|it| it.assumed));
}

#[test]
fn catalogues_of_events_tell_of_things_and_are_none() {
    let text = "# Videos\n\n## Events\n\n### `video.uploaded`\n\n```json\n{ \"video_id\": \"uuid\", \"mime_type\": \"video/mp4\", \"event_id\": \
                \"uuid\" }\n```\n\n### `video.removed`\n\n### `auth.login_failed`\n\n```json\n{ \"user_agent\": \"x\", \"ip\": \"y\" }\n```\n\n\
                1. Event published to the queue\n";
    let model = decompose(text).domain_model;
    let things: Vec<&str> = model.entities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(things, ["Video"]);
    let fields: Vec<&str> = model.entities[0].fields.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(fields, ["video_id", "mime_type"]);
    assert_eq!(model.events.len(), 3);
}

#[test]
fn messages_may_be_named_by_their_identity() {
    let found = decompose(
        "# Homes\n\n## Events\n\nPublisher: Unit Service\n\n| Message Identity | Contract | Trigger | Subscribers |\n|---|---|---|---|\n\
         | `units.created.v2` | `IUnitCreated` | new unit | Rental Service (planned) |\n| `units.deleted.v1` | `IUnitDeleted` | soft delete | (planned) |\n",
    );
    let names: Vec<&str> = found.domain_model.events.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["units.created.v2", "units.deleted.v1"]);
}
