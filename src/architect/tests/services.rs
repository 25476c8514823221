//! Services, in the wordings that texts have for them.

use crate::architect::decompose;

fn told(text: &str) -> Vec<String> {
    let all = decompose(text).service_map.services;
    all.into_iter().filter(|it| !it.assumed && !it.is_frontend).map(|it| it.name).collect()
}

#[test]
fn services_are_named_in_headings_labels_diagrams_and_sentences() {
    let cases: &[(&str, &[&str])] = &[
        (
            "# Shop microservices\n\n### 1. 🛡️ Auth Service\n\nIt signs in.\n\n### 2. 📧 Email Service\n\n### 3. API Gateway\n",
            &["auth-service", "email-service", "api-gateway"],
        ),
        (
            "# Shop\n\nIt has microservices.\n\n### Identity & Access (IAM) Service\n\n### Orders & Returns Service\n",
            &["identity-access-service", "orders-returns-service"],
        ),
        (
            "# Shop\n\nOur microservices:\n\n- **OrderService**: takes orders\n- **StockService**: counts parcels\n",
            &["order-service", "stock-service"],
        ),
        (
            "# Shop\n\nThe main microservices are the following:\n\n- **User Services**: sign in\n- **Map Services**: find the way\n",
            &["user-service", "map-service"],
        ),
        (
            "# Shop\n\nMicroservices.\n\n```mermaid\ngraph TD\n  A[Order Service] --> B[Stock Service]\n```\n",
            &["order-service", "stock-service"],
        ),
        (
            "# Shop\n\nBoth the Order Service and the Stock Service are microservices.\n",
            &["order-service", "stock-service"],
        ),
        (
            "# Shop microservices\n\n| Service | Port |\n|---|---|\n| order-service | 1 |\n| stock-service | 2 |\n| gateway | 3 |\n",
            &["order-service", "stock-service", "gateway"],
        ),
        (
            "# Shop\n\n```mermaid\nflowchart TD\n  G(\"API Gateway<br/>limits\")\n  A(\"Auth Service\")\n  S(\"Search service\")\n  \
             R(\"Review service\")\n  G --> A\n```\n",
            &["api-gateway", "auth-service", "search-service", "review-service"],
        ),
        (
            "# Shop\n\nServices: User service, Vendor(hotel) service, search_service, and Redis\n",
            &["user-service", "vendor-service", "search-service"],
        ),
        (
            "# Events\n\n| Event | Producer | Consumer(s) |\n|---|---|---|\n| `OrderPlaced` | order-service | StockService, mail-service |\n",
            &["order-service", "stock-service", "mail-service"],
        ),
        (
            "# Shop microservices\n\n| Microservice | Port | Owns |\n|---|---|---|\n| **Core API** ([`core/`](../core/)) | 1 | Orders |\n\
             | **Stock Service** ([`stock/`](../stock/)) | 2 | Parcels |\n",
            &["core-api", "stock-service"],
        ),
        (
            "# Parts\n\n## `telegram-gateway`\n\n### Responsibility\n\n`telegram-gateway` is the service in front.\n\n## `finance-core`\n\n\
             **Type**: business service\n\n## `release-notes`\n\nWhat is new.\n",
            &["telegram-gateway", "finance-core"],
        ),
        (
            "# Exercise\n\n## service Category and Course\n\nA microservice.\n\n## service Promotion\n\nAnother one.\n\n## Service Discovery\n",
            &["category-and-course-service", "promotion-service"],
        ),
        (
            "# Exercise\n\nAssume that \"Product Service\" and \"Order Service\" are microservices. Add an “Inventory Service”.\n",
            &["product-service", "order-service", "inventory-service"],
        ),
        (
            "# Data\n\n```mermaid\nerDiagram\n%% Auth Service DB\n%% Vehicle Service DB\n%% Billing Service DB\n```\n",
            &["auth-service", "vehicle-service", "billing-service"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(told(text), *expected, "{text}");
    }
}

#[test]
fn a_box_may_say_below_a_name_that_it_is_a_service() {
    let text = "# Shop microservices\n\n```\n┌─────────┐   ┌─────────┐\n│  Order  │   │  Stock  │\n│ Service │   │ Service │\n│ - Kafka │   │ - Redis │\n└─────────┘   └─────────┘\n```\n";
    assert_eq!(told(text), ["order-service", "stock-service"]);
    let built = "# Shop microservices\n\n## Order Service\n\n## Stock Service\n\nA high-performance Go Order Service takes orders.\n";
    assert_eq!(told(built), ["order-service", "stock-service"]);
    let same = "# Shop microservices\n\n## Same Day Delivery Service\n\n## Express Delivery Service\n";
    assert_eq!(told(same), ["same-day-delivery-service", "express-delivery-service"]);
}

#[test]
fn words_about_services_are_no_services() {
    let texts = [
        "# Shop microservices\n\n## Order Service\n\n## Stock Service\n\nNo central \"God Service\" knows all.\n\n1. **Rebuild service:** now\n\
         2. **Restart service:** later\n\n- **services/**: the source\n- **Stateless Service**: keeps nothing\n\n```\nOrder     Stock\nService     Service     Service\n```\n",
        "# Shop microservices\n\n## Order Service\n\n## Stock Service\n\n## Example Endpoints by Service\n\n## Database per Service\n",
        "# Shop microservices\n\n## Order Service\n\n## Stock Service\n\n- **Order placed** → Stock Service\n- Azure Service\n- Core Services\n\
         - **Gateway ⇄ Stock Service**: REST\n",
    ];
    for text in texts {
        assert_eq!(told(text), ["order-service", "stock-service"], "{text}");
    }
    // Classes of one program.
    assert_eq!(
        told("# Shop\n\nDesign `RoomService` and **AuthService**.\n\n- **RoomService**: keeps rooms\n"),
        [""; 0]
    );
}

#[test]
fn bounded_contexts_are_services() {
    let names = |text: &str| -> Vec<String> {
        decompose(text).service_map.services.into_iter().filter(|it| !it.assumed).map(|it| it.name).collect()
    };
    let headings = "# Billing Context\n\n## Owned Data\n\n- Invoice\n\n# Audit Context\n\n## Published Events\n\n- EntryAdded\n\n# Mail Context\n\nSends letters.\n";
    assert_eq!(names(headings), ["billing", "audit", "mail"]);
    assert!(names("# Shop\n\n## Business Context\n\nShops sell.\n\n## Technical Context\n\nA server.\n").is_empty());
    let table = "# Shop\n\n## Contexts\n\n| Context | Service | Aggregate |\n|---|---|---|\n| Rail | `rail-service` | Operation |\n\
                 | Front | `shop-bff`, `ops-bff` | |\n| Risk | `risk-service` | Score |\n";
    assert_eq!(names(table), ["rail-service", "shop-bff", "ops-bff", "risk-service"]);
}
