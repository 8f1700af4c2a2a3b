"""Describe small builds by croissant.json: its files, its columns, its Responsible AI terms, and that it is small."""

import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cards import NAMES, layout_of, read_card

from tom_datasets.dataset import dataset_named
from tom_datasets.folder.build import Build, checksum
from tom_datasets.folder.croissant import CONTEXT, NAME, spread

# The terms of NeurIPS 2026 (its minimal Responsible AI metadata), with how many texts each may have.
REQUIRED = {"rai:dataLimitations": list, "rai:dataBiases": list, "rai:personalSensitiveInformation": list}
REQUIRED |= {"rai:dataUseCases": list, "rai:dataSocialImpact": str, "rai:hasSyntheticData": bool}
REQUIRED |= {"prov:wasDerivedFrom": list, "prov:wasGeneratedBy": list}
SCHEMA = set(
    "name description url license version creator inLanguage keywords distribution contentUrl contentSize "
    "encodingFormat sha256".split()
)
"""The words of schema.org that the document has; all others are declared."""
ARROW = {
    "sc:Text": pa.string(),
    "sc:Boolean": pa.bool_(),
    "cr:Int32": pa.int32(),
    "cr:Int64": pa.int64(),
    "cr:Float64": pa.float64(),
}


def described(folder):
    """Return what the document of a folder says."""
    return json.loads((folder / NAME).read_text(encoding="utf-8"))


def keys_of(value):
    """Return all keys of a document but those of its context and of its data."""
    if isinstance(value, list):
        return {key for part in value for key in keys_of(part)}
    if not isinstance(value, dict):
        return set()
    return {*value, *(key for name, part in value.items() if name not in ("@context", "data") for key in keys_of(part))}


def test_the_document_conforms_to_croissant_and_to_responsible_ai(made):
    document = described(made.folder)
    assert document["@type"] == "sc:Dataset" and document["name"] == made.matter["pretty_name"]
    specifications = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
    assert document["conformsTo"] == specifications and document["inLanguage"] == made.matter["language"]
    assert document["license"].endswith("/Apache-2.0.html") and made.matter["license"] == "apache-2.0"
    assert document["url"].endswith(f"/NAMESPACE/{made.name}") and document["creator"]["name"]
    assert f"```bibtex\n{document['citeAs']}\n```" in made.card
    plain = {key for key in keys_of(document) if key[0] != "@" and ":" not in key}
    assert plain - SCHEMA - CONTEXT.keys() == set(), "JSON-LD would read these as words of schema.org"
    prefixes = {key.split(":")[0] for key in keys_of(document) if ":" in key}
    assert prefixes == {"rai", "prov"} <= CONTEXT.keys()


def test_the_parquet_files_are_listed_with_their_checksums(made):
    document = described(made.folder)
    files = {part["contentUrl"]: part for part in document["distribution"] if part["@type"] == "cr:FileObject"}
    assert sorted(files) == sorted(path.relative_to(made.folder).as_posix() for path in made.folder.rglob("*.parquet"))
    for path, part in files.items():
        assert part["sha256"] == checksum(made.folder / path)
        assert part["contentSize"] == f"{(made.folder / path).stat().st_size} B"
    sets = {part["@id"]: part["includes"] for part in document["distribution"] if part["@type"] == "cr:FileSet"}
    layout = layout_of(made.card)
    assert sets == {f"{config}-files": sum(splits.values(), []) for config, splits in layout.items()}
    assert Build.read(made.folder, made.name).files[NAME]["sha256"] == checksum(made.folder / NAME)


def test_the_record_sets_are_the_configs_with_the_columns_of_their_files(made):
    document, layout = described(made.folder), layout_of(made.card)
    splits, *records = document["recordSet"]
    assert {row["splits/name"] for row in splits["data"]} == {split for config in layout.values() for split in config}
    assert [record["name"] for record in records] == list(layout)
    for record, (config, files) in zip(records, layout.items(), strict=True):
        split, *fields = record["field"]
        assert split["references"] == {"field": {"@id": "splits/name"}}
        assert all(field["source"]["fileSet"] == {"@id": f"{config}-files"} for field in record["field"])
        for name, paths in files.items():
            for path in paths:
                pattern = split["source"]["transform"]["regex"]
                assert re.match(pattern, path.rpartition("/")[2])[1] == name and name in record["description"]
                types = {
                    field["source"]["extract"]["column"]: pa.list_(ARROW[field["dataType"]])
                    if field.get("isArray")
                    else ARROW[field["dataType"]]
                    for field in fields
                }
                schema = pq.read_schema(made.folder / path)
                assert types == dict(zip(schema.names, schema.types, strict=True))
    meanings = {field["name"]: field["description"] for field in records[0]["field"]}
    assert meanings == {"split": "the split of the row."} | dataset_named(made.name).meanings


def test_every_term_of_responsible_ai_has_its_text(made):
    document = described(made.folder)
    assert {term: type(document.get(term)) for term in REQUIRED} == REQUIRED
    assert document["rai:hasSyntheticData"] is True
    for key, value in document.items():
        if key.startswith("rai:") and value is not True:
            texts = value if isinstance(value, list) else [value]
            assert texts and all(re.fullmatch(r"[A-Z].*\w\.|Others", text) for text in texts), key
            assert not re.search(r"{|}|  |None\b(?!\.)|\bxx\b", " ".join(texts)), key
    assert "real persons" in document["rai:personalSensitiveInformation"][0]
    assert "judging" in document["rai:dataUseCases"][-1]


@pytest.mark.parametrize("name", NAMES)
def test_the_texts_speak_of_what_the_build_has(build_small, small_build, name):
    words = "in the languages fr and zh"
    for folder, languages in ((build_small(name, "--probe", "none", "--only", "all"), 1), (small_build(name), 3)):
        document = described(folder)
        text = json.dumps(document)
        assert len(document["inLanguage"]) == languages and (words in text) == (languages > 1)
        assert ("config tomh" in text) == (languages > 1 and name == "hi_tom")
        census = ["urn:first-names-us-census-1990"] if name == "mindgames" else []
        assert [source["@id"] for source in document["prov:wasDerivedFrom"]][1:] == census


@pytest.mark.parametrize("name", NAMES)
def test_it_is_small_where_all_configs_are_there(small_build, name):
    """It grows with the configs and columns, and not with the rows."""
    folder = small_build(name)
    configs = len(layout_of(read_card(folder)))
    assert configs > 20 and (folder / NAME).stat().st_size < 11_500 * configs


def test_a_document_is_spread_over_lines_and_says_the_same():
    toy = {"a": ["é" * 50] * 9, "b": {"c": [{"d": number, "e": "x" * 300} for number in range(3)]}, "f": []}
    text = spread(toy)
    assert json.loads(text) == toy and "é" in text
    assert text.splitlines()[0] == "{" and text.count("\n") > 10
    assert spread({"short": [1, 2]}) == '{"short": [1, 2]}'
