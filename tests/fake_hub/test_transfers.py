"""Let the real client send and get files; the storage refuses wrong bytes, tokens, and unsigned addresses."""

import json

from fake_hub import WRITE, Hub
from fake_hub.clients import logged_requests, run_client, send_request


def test_multipart_and_bad_bytes(tmp_path):
    """Take a large file in parts; refuse bytes that were not announced, and a commit of a file that never came."""
    with Hub(multipart_from=250_000, part=100_000) as hub:
        hub.create("me/x")
        changing, short, parts = tmp_path / "changing", tmp_path / "short", tmp_path / "parts"
        changing.write_bytes(b"a" * 1000)
        short.write_bytes(b"b" * 1000)
        parts.write_bytes(b"c" * 300_000)
        # The files change after the client has announced them, and before it sends them.
        hub.fail("POST", "objects/batch", skip=1, then=lambda hub: changing.write_bytes(b"x" * 1000))
        hub.fail("POST", "objects/batch", skip=1, then=lambda hub: short.write_bytes(b"b" * 999))
        hub.fail("POST", "objects/batch", skip=1, then=lambda hub: parts.write_bytes(b"x" * 300_000))
        answers = run_client(
            hub,
            tmp_path / "home",
            f"""
commit({{"large.bin": bytes(range(256)) * 1000}})
for path in {[str(changing), str(short), str(parts)]!r}:
    try:
        api.upload_file(path_or_fileobj=path, path_in_repo="bad.bin", **REPO)
        report("nothing")
    except RuntimeError as error:
        report(error.__cause__.response.status_code, error.__cause__.response.text)
""",
        )
        assert [status for status, _ in answers] == [400, 400, 400]
        assert "not those that were announced" in answers[0][1] and "999 bytes came" in answers[1][1]
        assert "not those that were announced" in answers[2][1]
        repo = hub.repos["me/x"]
        assert repo.files()["large.bin"] == bytes(range(256)) * 1000 and list(repo.lfs) == [
            repo.commit_at("main").files["large.bin"].sha256
        ]
        assert [request.bytes for request in logged_requests(hub, "PUT", "partNumber")[:3]] == [
            100_000,
            100_000,
            56_000,
        ]
        again = logged_requests(hub, "PUT", "partNumber=1")[0].path
        assert send_request(hub.storage_url, "PUT", again, b"c" * 100_000)[0] == 404
        lines = [
            {"key": "header", "value": {"summary": "never came"}},
            {"key": "lfsFile", "value": {"path": "x.bin", "algo": "sha256", "oid": "0" * 64, "size": 1}},
        ]
        body = "\n".join(map(json.dumps, lines))
        bearer = {"Authorization": f"Bearer {WRITE}"}
        status, headers, _ = send_request(hub.url, "POST", "/api/datasets/me/x/commit/main", body, bearer)
        assert status == 400 and "does not exist" in headers["X-Error-Message"]
        assert len(repo.commits) == 2


def test_storage_takes_signed_addresses_and_no_token(hub):
    """Refuse an unsigned address and a token at the storage."""
    hub.create("me/x")
    hub.commit_as("me/x", {"a.bin": b"large"})
    status, headers, _ = send_request(hub.url, "HEAD", "/datasets/me/x/resolve/main/a.bin")
    place = headers["Location"].removeprefix(hub.storage_url)
    assert status == 302 and headers["X-Linked-Size"] == "5"
    assert send_request(hub.storage_url, "GET", place)[2] == b"large"
    assert send_request(hub.storage_url, "GET", place, headers={"Authorization": f"Bearer {WRITE}"})[0] == 400
    assert send_request(hub.storage_url, "GET", place.replace("a.bin", "b.bin"))[0] == 403
    assert send_request(hub.storage_url, "GET", "/api/datasets/me/x")[0] == 403
    assert send_request(hub.url, "POST", "/api/complete_multipart?repo=me/x", "{}")[0] == 403


def test_download(hub, tmp_path):
    """Download files, ranges and snapshots at names and commits; name what does not exist."""
    hub.create("me/x")
    old = hub.commit_as("me/x", {"a.txt": b"old", "b.bin": bytes(range(256))})
    hub.commit_as("me/x", {"a.txt": b"new"})
    answers = run_client(
        hub,
        tmp_path,
        f"""
def read(**more):
    return open(hf_hub_download(**REPO, **more), "rb").read().decode("latin-1")
report(read(filename="a.txt"), read(filename="a.txt", revision={old!r}))
report(read(filename="b.bin") == bytes(range(256)).decode("latin-1"))
api.create_tag(**REPO, tag="v1", revision={old!r})
folder = snapshot_download(**REPO, revision="v1")
report(os.path.basename(folder), open(folder + "/a.txt").read())
files = HfFileSystem()
report(list(files.cat_file("datasets/me/x/b.bin", start=10, end=14)), files.cat_file("datasets/me/x@v1/a.txt").decode())
with files.open("datasets/me/x/b.bin") as file:
    file.seek(250)
    report(list(file.read()))
report(sorted(files.ls("datasets/me/x", detail=False)), files.glob("datasets/me/x/*.txt"))
report(*failing(read, filename="c.txt"))
report(*failing(read, filename="a.txt", revision="v2"))
report(*failing(hf_hub_download, "me/y", "a.txt", repo_type="dataset"))
""",
    )
    everything = bytes(range(256))
    assert answers[:3] == [["new", "old"], [True], [old, "old"]]
    assert answers[3:5] == [[[10, 11, 12, 13], "old"], [list(everything[250:])]]
    names = [f"datasets/me/x/{name}" for name in (".gitattributes", "a.txt", "b.bin")]
    assert answers[5] == [names, names[1:2]]
    assert [line[:2] for line in answers[6:]] == [
        ["EntryNotFoundError", 404],
        ["RevisionNotFoundError", 404],
        ["RepositoryNotFoundError", 404],
    ]
    status, headers, body = send_request(hub.url, "GET", "/datasets/me/x/resolve/main/a.txt")
    assert status == 307 and headers["Location"].startswith("/api/resolve-cache/datasets/me/x/")
    status, headers, body = send_request(hub.url, "GET", headers["Location"], headers={"Range": "bytes=-2"})
    assert (status, headers["Content-Range"], body) == (206, "bytes 1-2/3", b"ew")
    assert headers["ETag"] == f'"{hub.repos["me/x"].commit_at("main").files["a.txt"].oid}"'
    location = "/api/resolve-cache/datasets/me/x/" + hub.repos["me/x"].head() + "/a.txt"
    assert send_request(hub.url, "GET", location, headers={"Range": "bytes=3-"})[0] == 416


def test_datasets(hub, tmp_path):
    """Load configs, at a commit and streaming, and push, by the `datasets` library."""
    answers = run_client(
        hub,
        tmp_path,
        """
import datasets
def table(*rows):
    file = io.BytesIO()
    datasets.Dataset.from_dict({"row": list(rows)}).to_parquet(file)
    return file.getvalue()
card = '''---
configs:
- config_name: one
  data_files: [{split: train, path: one/train.parquet}]
- config_name: two
  data_files: [{split: test, path: two/*.parquet}]
---
'''
api.create_repo(**REPO)
first = commit({"README.md": card, "one/train.parquet": table(1, 2), "two/test.parquet": table(3)})
commit({"one/train.parquet": table(4, 5, 6)})
report(datasets.get_dataset_config_names("me/x"))
report(datasets.load_dataset("me/x", "one")["train"]["row"][:])
report(datasets.load_dataset("me/x", "one", revision=first.oid)["train"]["row"][:])
report([row["row"] for row in datasets.load_dataset("me/x", "two", streaming=True)["test"]])
datasets.Dataset.from_dict({"row": [7]}).push_to_hub("me/pushed", "three")
datasets.Dataset.from_dict({"row": [8]}).push_to_hub("me/pushed", "three", split="test")
loaded = datasets.load_dataset("me/pushed", "three")
report({split: table["row"][:] for split, table in loaded.items()})
""",
    )
    assert answers == [[["one", "two"]], [[4, 5, 6]], [[1, 2]], [[3]], [{"train": [7], "test": [8]}]]
