# The life of a repo by the Python client, in three parts: `python life.py grow FOLDER` tells what it saw as JSON.
import json
import sys

from huggingface_hub import HfApi, HfFileSystem, hf_hub_download

api = HfApi()
repo, later = "alice/life", "alice/moved"


def grow(folder):
    api.create_repo(repo)
    api.upload_file(repo_id=repo, path_or_fileobj=b"small", path_in_repo="small.txt", commit_message="small")
    api.upload_folder(repo_id=repo, folder_path=folder + "/data", path_in_repo="data", commit_message="folder")
    api.upload_file(repo_id=repo, path_or_fileobj=folder + "/large.bin", path_in_repo="large.bin", commit_message="large")
    files = {file.path: file.size for file in api.list_repo_tree(repo, recursive=True) if hasattr(file, "size")}
    part = HfFileSystem().read_bytes(repo + "/large.bin", start=40_000_000, end=40_000_010)
    small = open(hf_hub_download(repo, "data/deep/b.csv"), "rb").read()
    api.create_branch(repo, branch="dev")
    api.upload_file(repo_id=repo, path_or_fileobj=b"dev", path_in_repo="dev.txt", revision="dev", commit_message="dev")
    api.upload_file(repo_id=repo, path_or_fileobj=b"mine", path_in_repo="mine.txt", create_pr=True, commit_message="proposal")
    return {"files": files, "part": part.hex(), "small": small.decode()}


def move():
    api.delete_file("small.txt", repo_id=repo, commit_message="less")
    api.move_repo(repo, later)
    return api.list_repo_files(repo)


def end():
    api.delete_repo(later)
    return api.repo_exists(later)


print(json.dumps({"grow": grow, "move": move, "end": end}[sys.argv[1]](*sys.argv[2:])))
