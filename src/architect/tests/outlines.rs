//! Forms that declare things wherever they stand: outlines in blocks, rows without a head, lists of things with fields.

use super::named;
use crate::architect::decompose;

#[test]
fn outlines_name_tables_in_many_ways() {
    for (language, block) in [
        ("", "Book:\n  id (uuid, pk)\n  title (string)\n\nLoan:\n  id\n  book_id (uuid)"),
        ("", "Book\n----\nid PK int\ntitle string\n\nLoan\n----\nid PK int\nbook_id int FK >- Book.id"),
        (
            "",
            "books/{bookId}\n  id: string\n  title: string\n\nbooks/{bookId}/loans/{loanId}\n  id: string\n  book_id: string",
        ),
        ("yaml", "Book:\n  id: uuid\n  title: string\nLoan:\n  id: uuid\n  book_id: uuid"),
        (
            "",
            "+-------+   +---------+\n| Book  |   | Loan    |\n+-------+   +---------+\n| id    |   | id      |\n| title |   | book_id |\n+-------+   +---------+",
        ),
        (
            "go",
            "type Book struct {\n\tID string `json:\"id\"`\n\tTitle string\n}\ntype Loan struct {\n\tID string\n\tBookID string\n}",
        ),
        (
            "csharp",
            "public record Loan(Guid Id, Guid BookId);\npublic class Book\n{\n    public Guid Id { get; set; }\n    public string Title { get; set; } = null!;\n}",
        ),
        (
            "dart",
            "class Book {\n  final String id;\n  final String title;\n}\nclass Loan {\n  final String id;\n  final String bookId;\n}",
        ),
    ] {
        let found = decompose(&format!("# Library\n\n## Data\n\n```{language}\n{block}\n```\n"));
        let lower =
            |name: &str| named(&found, name).iter().map(|it| it.to_lowercase().replace('_', "")).collect::<Vec<_>>();
        assert_eq!(lower("Book"), ["id", "title"], "{block}");
        assert_eq!(lower("Loan"), ["id", "bookid"], "{block}");
    }
    // Members of programs and settings are no columns.
    let found = decompose(
        "# App\n\n## Notes\n\n```\nprivate String text;\nprivate int age;\n```\n\n## Ports\n\n```yaml\nweb:\n  port: 80\n  host: a.example\n```\n",
    );
    assert!(found.domain_model.entities.iter().all(|it| it.fields.is_empty()), "{:?}", found.domain_model.entities);
}

#[test]
fn rows_without_a_head_and_tables_of_names_list_columns() {
    let found = decompose(
        "# Library\n\n## Table: book\n\nid | int | PK\ntitle | varchar(255) | not null\n\n## Loan\n\n| Property | Value |\n|---|---|\n\
         | id | Identifier |\n| due_on | When the book is due |\n\n## Entities\n\n- **Member**\n  - Attributes: name, email\n",
    );
    assert_eq!(named(&found, "Book"), ["id", "title"]);
    assert_eq!(named(&found, "Loan"), ["id", "due_on"]);
    assert_eq!(named(&found, "Member"), ["name", "email"]);
}

#[test]
fn things_with_typed_fields_below_are_listed_below_any_heading() {
    let found = decompose(
        "# Shop\n\n## Entities\n\n### Customer Domain\n\n- **`Customer`**: who buys.\n  - `id`: `string`\n  - `fullName`: `string`\n\
         - **`Address`**: where to send to.\n  - `id`: `string`\n  - `city`: `string`\n- **`Wishlist`**: what is wished for.\n  - `id`: \
         `string`\n  - `productIds`: `string[]`\n",
    );
    assert_eq!(named(&found, "Customer")[..2], ["id", "fullName"]);
    assert_eq!(named(&found, "Address"), ["id", "city"]);
    assert_eq!(named(&found, "Wishlist"), ["id", "productIds"]);
}

#[test]
fn headings_are_decorated_and_heads_and_remarks_may_be_fields() {
    let fields = "- id: uuid\n- note: string\n- status: string\n- created_at: timestamp\n\n";
    let found = decompose(&format!(
        "# Shop\n\n### 1️⃣ Review Schema\n\n{fields}### Loan (Aggregate Root)\n\n{fields}### Table: fines\n\n{fields}### Book\n\n\
         | id | uuid | primary key |\n|---|---|---|\n| title | string | |\n| isbn | string | unique |\n"
    ));
    for name in ["Review", "Loan", "Fine"] {
        assert_eq!(named(&found, name), ["id", "note", "status", "created_at"], "{name}");
    }
    assert_eq!(named(&found, "Book"), ["id", "title", "isbn"]);
    let found = decompose(
        "# Shop\n\n## Data Requirements\n\n- DR-1: For each book: title, isbn, author, pages.\n- DR-2: For each loan: due date, status, note.\n",
    );
    assert!(found.domain_model.entities.iter().all(|it| !it.name.starts_with("Each")));
    let found = decompose(
        "# Job\n\n## State models\n\n**Job:** `new` → `planned`.\n\n- `new` — seeded, not yet planned.\n- `planned` — scheduled by a planner.\n",
    );
    assert!(found.domain_model.entities.iter().all(|it| it.name != "New" && it.name != "Planned"));
}

#[test]
fn tables_below_a_data_model_may_be_called_like_anything() {
    let names = ["Roles", "Services", "Documents", "Files", "Actions", "Timeline", "Dependencies", "Errors", "Metrics"];
    for columns in [
        "| Field | Type |\n|---|---|\n| id | uuid |\n| label_text | string |\n",
        "- id: uuid\n- label_text: string\n",
        "- `id` (uuid)\n- `label_text`\n- `made_at`\n",
        "- **id** (UUID, Primary Key)\n- **label_text** (TEXT)\n",
    ] {
        let tables: Vec<String> = names.iter().map(|it| format!("### {it}\n\n{columns}\n")).collect();
        let found = decompose(&format!("# Vans\n\n## Data model\n\n{}", tables.concat()));
        for name in ["Role", "Service", "Document", "File", "Action", "Timeline", "Dependency", "Error", "Metric"] {
            assert_eq!(named(&found, name)[..2], ["id", "label_text"], "{name}: {columns}");
        }
    }
}

#[test]
fn names_of_tables_may_stand_a_line_each() {
    let text = "# Vans\n\n## Database schemas\n\n### `fleet`\n\n```text\nvans\ngarages\nfuel_history\n```\n";
    let found = decompose(text);
    for name in ["Van", "Garage", "FuelHistory"] {
        assert!(found.domain_model.entities.iter().any(|it| it.name == name), "{name}");
    }
}

#[test]
fn classes_may_be_outlined_with_remarks() {
    let text = "# Vans\n\n```python\nclass Van(models.Model):       # a car\n    plate               # \"S-05\"\n    \
                made_on, sold_on    # days\n                        # both may be missing\n    garage              # FK\n\n    \
                def age(self):\n        # in years\n```\n";
    assert_eq!(named(&decompose(text), "Van"), ["plate", "made_on", "sold_on", "garage"]);
}
