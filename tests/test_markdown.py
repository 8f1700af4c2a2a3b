"""Write small Markdown tables and compare them letter for letter."""

from tom_datasets.markdown import markdown_table


def test_a_table_aligns_its_first_column_left_and_the_others_right():
    assert markdown_table(["", "ours", "published"], [["first", "1.0", "2.0"], ["last", "", "3.0"]]) == (
        "|  | ours | published |\n| --- | ---: | ---: |\n| first | 1.0 | 2.0 |\n| last |  | 3.0 |"
    )


def test_two_columns_may_be_aligned_left():
    assert markdown_table(["rows", "order", "agree"], [["all", "total", "4"]], left=2) == (
        "| rows | order | agree |\n| --- | --- | ---: |\n| all | total | 4 |"
    )


def test_a_table_without_rows_is_its_header():
    assert markdown_table(["rule", "share"], []) == "| rule | share |\n| --- | ---: |"
