"""Large files: where a client is to put them, and the storage that takes and gives them.

The storage is another host, as on the real Hub. It knows no tokens: it takes signed addresses only.
"""

import hashlib
import math
import re
from urllib.parse import urlencode

from fake_hub.answers import Answer, as_json, refusal, storage_refusal
from fake_hub.call import Call
from fake_hub.downloads import ranged
from fake_hub.repository import KINDS, Repo, key_of


def answer_batch(call: Call, repo: Repo, action: str) -> Answer:
    """Say where the client is to put large files, or confirm that one has arrived."""
    call.require_write_access(repo, pull=True)
    options = call.json_body()
    if action == "verify":
        data = repo.lfs.get(options.get("oid", ""))
        if data is None or len(data) != options.get("size"):
            raise refusal(404, "Object not found or of another size")
        return as_json({})
    if action != "batch" or options.get("operation") != "upload":
        raise refusal(404, "Sorry, we can't find the page you are looking for.")
    objects = [place_upload(call, repo, item["oid"], item["size"]) for item in options["objects"]]
    in_parts = any("chunk_size" in item.get("actions", {}).get("upload", {}).get("header", {}) for item in objects)
    value = {"transfer": "multipart" if in_parts else "basic", "objects": objects, "hash_algo": "sha256"}
    return as_json(value, headers={"Content-Type": "application/vnd.git-lfs+json"})


def place_upload(call: Call, repo: Repo, oid: str, size: int) -> dict:
    """Say where the client is to put one large file: nowhere if the storage has it already."""
    value = {"oid": oid, "size": size, "authenticated": True}
    if len(repo.lfs.get(oid, b"")) == size and oid in repo.lfs:
        return value
    if not re.fullmatch("[0-9a-f]{64}", oid) or size < 0:
        return value | {"error": {"code": 422, "message": "Invalid object"}}
    place = f"/{repo.kind}s/{repo.name}/{oid}"
    if size >= call.hub.multipart_from:
        upload = f"upload-{next(call.hub.numbers)}"
        call.hub.parts[upload] = {}
        header = {
            str(number): call.hub.storage_url
            + call.hub.sign(f"/upload{place}?{urlencode({'uploadId': upload, 'partNumber': number})}")
            for number in range(1, math.ceil(size / call.hub.part) + 1)
        }
        header["chunk_size"] = str(call.hub.part)
        query = urlencode({"repo": key_of(repo.kind, repo.name), "oid": oid, "size": size, "uploadId": upload})
        href = call.hub.url + call.hub.sign(f"/api/complete_multipart?{query}")
    else:
        header, href = {}, call.hub.storage_url + call.hub.sign(f"/upload{place}?size={size}")
    verify = {"href": f"{call.page(repo)}.git/info/lfs/objects/verify"}
    return value | {"actions": {"upload": {"href": href, "header": header}, "verify": verify}}


def answer_storage(call: Call) -> Answer:
    """Answer a request to the storage."""
    if not call.hub.is_signed(call.address):
        raise storage_refusal(403, "SignatureDoesNotMatch", "The address is not signed")
    if call.token:
        raise storage_refusal(400, "InvalidArgument", "Only one auth mechanism allowed: the token came along")
    match (call.method, *call.segments):
        case ("PUT", "upload", kinds, space, name, oid):
            repo = call.hub.repos.get(key_of(KINDS[kinds], f"{space}/{name}"))
            if repo is None:
                raise storage_refusal(404, "NoSuchBucket", "The repository is not there")
            if "uploadId" in call.query:
                if call.query["uploadId"] not in call.hub.parts:
                    raise storage_refusal(404, "NoSuchUpload", "The upload is over, or never began")
                call.hub.parts[call.query["uploadId"]][int(call.query["partNumber"])] = call.body
            else:
                store(repo, oid, int(call.query["size"]), call.body)
            return Answer(200, headers={"ETag": f'"{hashlib.md5(call.body).hexdigest()}"'})
        case ("GET" | "HEAD", "cdn", kinds, space, name, oid):
            repo = call.hub.repos.get(key_of(KINDS[kinds], f"{space}/{name}"))
            if repo is None or oid not in repo.lfs:
                raise storage_refusal(404, "NoSuchKey", "The object is not there")
            return ranged(call, repo.lfs[oid], {"ETag": f'"{oid}"'})
    raise storage_refusal(405, "MethodNotAllowed", "The storage does not do this")


def store(repo: Repo, oid: str, size: int, data: bytes) -> None:
    """Keep a large file. Raises RefusedError where its bytes are not those that were announced."""
    if len(data) != size:
        raise storage_refusal(400, "IncompleteBody", f"{len(data)} bytes came, {size} were announced")
    if hashlib.sha256(data).hexdigest() != oid:
        raise storage_refusal(400, "XAmzContentSHA256Mismatch", "The bytes are not those that were announced")
    repo.lfs[oid] = data


def complete_upload(call: Call) -> Answer:
    """Put the parts of a large file together. The signature of the address stands for a token."""
    if not call.hub.is_signed(call.address):
        raise refusal(403, "Invalid signature")
    options, repo = call.json_body(), call.hub.repos.get(call.query["repo"])
    parts = call.hub.parts.get(call.query["uploadId"], {})
    if repo is None:
        raise refusal(404, "Repository not found", "RepoNotFound")
    if call.query["oid"] in repo.lfs:
        return as_json({"success": True})
    size = int(call.query["size"])
    named = {item["partNumber"]: item["etag"].strip('"') for item in options.get("parts", [])}
    etags = {number: hashlib.md5(data).hexdigest() for number, data in parts.items()}
    if options.get("oid") != call.query["oid"] or named != etags:
        raise refusal(400, "One or more of the specified parts could not be found")
    if any(len(data) != call.hub.part for number, data in parts.items() if number != max(parts)):
        raise refusal(400, "A part is smaller than the minimum allowed size")
    store(repo, call.query["oid"], size, b"".join(parts[number] for number in sorted(parts)))
    del call.hub.parts[call.query["uploadId"]]
    return as_json({"success": True})
