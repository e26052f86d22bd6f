import { describe, expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

// Each script tells what it found as the last line of its output, a refusal as its class and its words.
const prelude = `
import json
from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import *
api = HfApi()
def tell(value):
    print(json.dumps(value, default=lambda it: it.isoformat() if hasattr(it, "isoformat") else vars(it)))
def refusal(call):
    try:
        call()
    except Exception as error:
        return {"class": type(error).__name__, "text": str(error)}
`

interface Told {
  class: string
  text: string
}

const sandbox = preparePythonSandbox()
const python = <T>(script: string, token?: string, env?: Record<string, string>) =>
  sandbox.run<T>(prelude + script, token, env)

const requestId = /Request ID: Root=1-[0-9a-f]{8}-[0-9a-f]{24};[0-9a-f-]{36}\)/

describe('huggingface_hub', () => {
  test('learns who a token belongs to', async () => {
    const me = await python<{ name: string; orgs: { name: string; roleInOrg: string }[] }>(
      'tell(api.whoami())',
    )
    expect(me.name).toBe('alice')
    expect(me.orgs).toContainEqual(expect.objectContaining({ name: 'acme', roleInOrg: 'admin' }))
  })

  test('tells its user that a token is wrong', async () => {
    const told = await python<Told>('tell(refusal(api.whoami))', 'hf_wrong')
    expect(told).toEqual({
      class: 'HfHubHTTPError',
      text: expect.stringMatching(/invalid.*token/i),
    })
  })

  test('downloads a file, and says of a missing one that it is missing', async () => {
    const path = await python<string>(
      'tell(hf_hub_download("acme/corpus", "README.md", repo_type="dataset"))',
    )
    expect(path).toMatch(/datasets--acme--corpus.snapshots.[0-9a-f]{40}.README\.md$/)
    const told = await python<Told>(
      'tell(refusal(lambda: hf_hub_download("acme/corpus", "none", repo_type="dataset")))',
    )
    expect(told.class).toBe('RemoteEntryNotFoundError')
    expect(told.text).toMatch(requestId)
  })

  test('names what is not emulated, and by what id it asked', async () => {
    const told = await python<Told>('tell(refusal(lambda: api.paper_info("2307.09288")))')
    expect(told.class).toBe('HfHubHTTPError')
    expect(told.text).toMatch(requestId)
    expect(told.text).toContain('GET /api/papers/2307.09288 is not emulated by this sandbox')
  })

  test('makes, finds, sets, moves, copies and deletes a repo', async () => {
    const seen = await python<Record<string, unknown>>(`
made = api.create_repo("alice/compat", private=True)
seen = {"made": str(made), "again": str(api.create_repo("alice/compat", exist_ok=True))}
info = api.model_info("Alice/Compat", files_metadata=True)
seen["info"] = [info.id, info.author, info.private, info.gated, len(info.sha)]
seen["files"] = [[it.rfilename, it.size is not None] for it in info.siblings]
seen["expanded"] = api.model_info("alice/compat", expand=["private"]).private
seen["listed"] = [it.id for it in api.list_models(author="alice", search="compat", limit=5)]
api.update_repo_settings("alice/compat", visibility="public", gated="manual")
seen["set"] = [api.model_info("alice/compat").private, api.model_info("alice/compat").gated]
api.move_repo("alice/compat", "acme/moved")
seen["moved"] = api.model_info("alice/compat").id
api.auth_check("alice/compat")
seen["copy"] = str(api.duplicate_repo("acme/moved", "alice/copy"))
seen["exists"] = [api.repo_exists("acme/moved"), api.repo_exists("alice/none")]
api.delete_repo("acme/moved")
api.delete_repo("alice/copy")
seen["gone"] = refusal(lambda: api.model_info("acme/moved"))
seen["twice"] = refusal(lambda: api.delete_repo("acme/moved"))
seen["missing_ok"] = api.delete_repo("acme/moved", missing_ok=True)
tell(seen)`)
    expect(seen).toMatchObject({
      made: `${sandbox.url}/alice/compat`,
      again: `${sandbox.url}/alice/compat`,
      info: ['alice/compat', 'alice', true, false, 40],
      files: [['.gitattributes', true]],
      expanded: true,
      listed: ['alice/compat'],
      set: [false, 'manual'],
      moved: 'acme/moved',
      copy: `${sandbox.url}/alice/copy`,
      exists: [true, false],
      gone: { class: 'RepositoryNotFoundError' },
      twice: { class: 'RepositoryNotFoundError' },
      missing_ok: null,
    })
  })

  test('manages what a Space runs on, its variables and its secrets', async () => {
    const seen = await python<Record<string, unknown>>(`
import warnings
warnings.simplefilter("ignore")
space = "alice/machine"
api.create_repo(space, repo_type="space", space_sdk="gradio", space_hardware="t4-small",
  region="eu", space_sleep_time=60, space_secrets=[{"key": "FIRST", "value": "geheim"}],
  space_variables=[{"key": "MODE", "value": "fast"}])
def told(runtime):
  return [runtime.stage, runtime.hardware, runtime.requested_hardware, runtime.sleep_time]
seen = {"made": told(api.get_space_runtime(space))}
seen["info"] = told(api.space_info(space).runtime)
seen["asked"] = told(api.request_space_hardware(space, "l4x1", sleep_time=-1))
seen["sleep"] = told(api.set_space_sleep_time(space, 3600))
seen["paused"] = told(api.pause_space(space))
seen["restarted"] = api.restart_space(space, factory_reboot=True).stage
seen["waited"] = told(api.wait_for_space(space))
seen["dev"] = [api.enable_space_dev_mode(space).dev_mode, api.disable_space_dev_mode(space).dev_mode]
api.add_space_variable(space, "DEPTH", "3", description="How deep")
variables = api.delete_space_variable(space, "MODE")
seen["variables"] = [[it.key, it.value, it.description] for it in variables.values()]
seen["same"] = api.get_space_variables(space).keys() == variables.keys()
api.add_space_secret(space, "SECOND", "auch geheim", description="Of whom")
api.delete_space_secret(space, "FIRST")
seen["secrets"] = [[it.key, it.description] for it in api.get_space_secrets(space).values()]
from huggingface_hub import Volume
api.set_space_volumes(space, [Volume(type="dataset", source="acme/corpus", mount_path="/corpus")])
seen["volumes"] = [[it.source, it.mount_path, it.read_only] for it in api.get_space_runtime(space).volumes]
api.delete_space_volumes(space)
seen["no volumes"] = [api.get_space_runtime(space).volumes, refusal(lambda: api.delete_space_volumes(space))["class"]]
seen["region"] = api.space_info(space, expand=["region"]).region
seen["copy"] = str(api.duplicate_repo(space, "alice/machine-copy", repo_type="space", space_hardware="cpu-basic"))
seen["copied"] = [list(api.get_space_variables("alice/machine-copy")), list(api.get_space_secrets("alice/machine-copy"))]
seen["hardware"] = api.list_spaces_hardware()[0].name
seen["templates"] = api.list_space_templates()
api.create_repo("alice/still", repo_type="space", space_sdk="static")
seen["static"] = told(api.get_space_runtime("alice/still"))
seen["refused"] = refusal(lambda: api.pause_space("alice/still"))
for name in [space, "alice/machine-copy", "alice/still"]:
  api.delete_repo(name, repo_type="space")
seen["gone"] = refusal(lambda: api.get_space_runtime(space))
tell(seen)`)
    expect(seen).toMatchObject({
      made: ['RUNNING', 't4-small', 't4-small', 60],
      info: ['RUNNING', 't4-small', 't4-small', 60],
      asked: ['RUNNING', 'l4x1', 'l4x1', null],
      sleep: ['RUNNING', 'l4x1', 'l4x1', 3600],
      paused: ['PAUSED', null, 'l4x1', 3600],
      restarted: 'BUILDING',
      waited: ['RUNNING', 'l4x1', 'l4x1', 3600],
      dev: [true, false],
      variables: [['DEPTH', '3', 'How deep']],
      same: true,
      secrets: [['SECOND', 'Of whom']],
      volumes: [['acme/corpus', '/corpus', true]],
      'no volumes': [null, 'BadRequestError'],
      region: 'eu',
      copy: `${sandbox.url}/spaces/alice/machine-copy`,
      copied: [['DEPTH'], []],
      hardware: 'cpu-basic',
      templates: [],
      static: ['RUNNING', null, null, null],
      refused: { class: 'BadRequestError', text: expect.stringContaining('static Space') },
      gone: { class: 'RepositoryNotFoundError' },
    })
  })

  test('is told why it gets no repo, as exceptions of its own', async () => {
    const told = await python<Record<string, Told>>(
      `
api.create_repo("bob/taken", exist_ok=True)
tell({
  "taken": refusal(lambda: api.create_repo("bob/taken")),
  "foreign": refusal(lambda: api.create_repo("alice/x")),
  "gated": refusal(lambda: api.auth_check("acme/speech-large", token="hf_sandbox_dave")),
  "hidden": refusal(lambda: api.model_info("alice/draft-summarizer")),
  "nameless": refusal(lambda: api.model_info("gpt2")),
  "revision": refusal(lambda: api.model_info("bob/taken", revision="none")),
})`,
      'hf_sandbox_bob',
    )
    expect(told).toMatchObject({
      taken: { text: expect.stringContaining('You already created this model repo') },
      foreign: { class: 'HfHubHTTPError', text: expect.stringContaining('right') },
      gated: { class: 'GatedRepoError' },
      hidden: { class: 'RepositoryNotFoundError' },
      nameless: { class: 'RepositoryNotFoundError' },
      revision: { class: 'RevisionNotFoundError' },
    })
  })

  test('makes, lists, changes, switches and deletes a webhook', async () => {
    const seen = await python<Record<string, Record<string, unknown>> & { left: unknown[] }>(`
made = api.create_webhook(url="http://127.0.0.1:9/a", watched=[{"type": "org", "name": "acme"}], domains=["repo", "discussion"], secret="a-secret-of-mine")
seen = {"made": vars(made), "listed": vars(api.list_webhooks()[-1]), "one": vars(api.get_webhook(made.id))}
seen["changed"] = vars(api.update_webhook(made.id, url="http://127.0.0.1:9/b", watched=[{"type": "user", "name": "alice"}], domains=["repo"]))
seen["disabled"] = vars(api.disable_webhook(made.id))
seen["enabled"] = vars(api.enable_webhook(made.id))
api.delete_webhook(made.id)
seen["left"] = [it.id for it in api.list_webhooks() if it.id == made.id]
seen["gone"] = refusal(lambda: api.get_webhook(made.id))
tell(seen)`)
    const made = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      url: 'http://127.0.0.1:9/a',
      watched: [{ type: 'org', name: 'acme' }],
      domains: ['repo', 'discussion'],
      secret: null,
      disabled: false,
    }
    expect(seen['made']).toMatchObject(made)
    expect(seen['listed']).toEqual(seen['made'])
    expect(seen['one']).toEqual(seen['made'])
    const changed = {
      url: 'http://127.0.0.1:9/b',
      watched: [{ type: 'user', name: 'alice' }],
      domains: ['repo'],
      secret: null,
    }
    expect(seen['changed']).toMatchObject({ ...changed, disabled: false })
    expect(seen['disabled']).toMatchObject({ ...changed, disabled: true })
    expect(seen['enabled']).toMatchObject({ ...changed, disabled: false })
    expect(seen.left).toEqual([])
    expect(seen['gone']).toEqual({
      class: 'HfHubHTTPError',
      text: expect.stringContaining('Webhook not found'),
    })
  })

  test('says why a webhook is refused', async () => {
    const told = await python<Told>(
      'tell(refusal(lambda: api.create_webhook(url="ftp://x", watched=[{"type": "org", "name": "acme"}])))',
    )
    expect(told.class).toBe('BadRequestError')
    expect(told.text).toMatch(/url/i)
  })

  test('starts, lists and inspects a job, and reads its log', async () => {
    const seen = await python<{
      made: { id: string }
      listed: string[]
      stage: string
      log: string[]
    }>(`
made = api.run_job(image="python:3.12", command=["python", "-c", "print(1)"])
seen = {"made": made, "listed": [it.id for it in api.list_jobs()]}
seen["log"] = list(api.fetch_job_logs(job_id=made.id))
seen["stage"] = api.inspect_job(job_id=made.id).status.stage
tell(seen)`)
    expect(seen.listed).toContain(seen.made.id)
    expect(seen.log.join('\n')).toContain('--run-jobs')
    expect(seen.stage).toMatch(/^[A-Z]+$/)
  })

  test('starts a job on whatever hardware it names', async () => {
    const [named, run, listed] = await python<string[][]>(`
from huggingface_hub import JobHardware
named = [it.value for it in JobHardware]
run = [api.run_job(image="python:3.12", command=["x"], flavor=it).flavor for it in named]
tell([named, run, [it.name for it in api.list_jobs_hardware()]])`)
    expect(run).toEqual(named)
    expect(listed).toEqual(expect.arrayContaining(named ?? []))
  })

  test('sends its usage report and looks for known agents without an error', async () => {
    const statuses = await python<number[]>(`
from huggingface_hub.utils import build_hf_headers, get_session
session = get_session()
tell([
    session.head(api.endpoint + "/api/telemetry/compat/test", headers=build_hf_headers()).status_code,
    session.get(api.endpoint + "/api/agent-harnesses").status_code,
])`)
    expect(statuses).toEqual([200, 200])
  })
})

describe('files by huggingface_hub', () => {
  test('go up in one commit, are listed, and come down', async () => {
    const seen = await python<Record<string, unknown>>(`
import os, tempfile
from huggingface_hub import snapshot_download
repo = "alice/python-files"
api.create_repo(repo)
folder = tempfile.mkdtemp()
os.makedirs(folder + "/dir")
for name in ["a.txt", "dir/b.txt", "empty"]:
    open(folder + "/" + name, "w").write("" if name == "empty" else name)
made = api.upload_folder(repo_id=repo, folder_path=folder)
again = api.upload_folder(repo_id=repo, folder_path=folder)
api.upload_file(path_or_fileobj=b"---\\nlicense: mit\\n---\\n", path_in_repo="README.md", repo_id=repo)
seen = {"made": made.oid, "again": again.oid, "url": made.commit_url}
seen["files"] = api.list_repo_files(repo)
seen["tree"] = {it.path: it.last_commit.title for it in api.list_repo_tree(repo, expand=True)}
seen["paths"] = [it.path for it in api.get_paths_info(repo, ["dir", "none", "empty"])]
local = snapshot_download(repo)
seen["read"] = open(local + "/dir/b.txt").read()
seen["size"] = os.path.getsize(local + "/empty")
seen["exists"] = [api.file_exists(repo, "a.txt"), api.file_exists(repo, "none")]
api.delete_folder("dir", repo_id=repo)
seen["left"] = api.list_repo_files(repo)
seen["commits"] = [it.title for it in api.list_repo_commits(repo)]
seen["authors"] = api.list_repo_commits(repo)[-1].authors
seen["missing"] = refusal(lambda: api.delete_file("none", repo_id=repo))
seen["revision"] = refusal(lambda: api.list_repo_files(repo, revision="none"))
seen["invalid"] = refusal(lambda: api.upload_file(path_or_fileobj=b"x", path_in_repo=".GIT/x", repo_id=repo))
tell(seen)`)
    expect(seen).toMatchObject({
      again: seen['made'],
      url: `${sandbox.url}/alice/python-files/commit/${String(seen['made'])}`,
      files: ['.gitattributes', 'README.md', 'a.txt', 'dir/b.txt', 'empty'],
      tree: { dir: 'Upload folder using huggingface_hub' },
      paths: ['dir', 'empty'],
      read: 'dir/b.txt',
      size: 0,
      exists: [true, false],
      left: ['.gitattributes', 'README.md', 'a.txt', 'empty'],
      authors: ['alice'],
      missing: { class: 'RemoteEntryNotFoundError' },
      revision: { class: 'RevisionNotFoundError' },
    })
    expect(seen['commits']).toHaveLength(4)
  })

  test('go up and down by a name in another letter case', async () => {
    const seen = await python<unknown[]>(`
from huggingface_hub import snapshot_download
api.create_repo("alice/Python-Case", private=True)
repo = "alice/python-CASE"
made = api.upload_file(path_or_fileobj=b"x", path_in_repo="x.txt", repo_id=repo)
file = hf_hub_download(repo, "x.txt")
tell([made.commit_url, open(file).read(), api.model_info(repo).id, open(snapshot_download(repo) + "/x.txt").read()])`)
    const url = expect.stringContaining('/alice/Python-Case/commit/') as string
    expect(seen).toEqual([url, 'x', 'alice/Python-Case', 'x'])
  })

  test('go by Git LFS when they are large, in one piece and in parts, and not twice', async () => {
    const seen = await python<Record<string, unknown>>(`
import hashlib
from huggingface_hub import CommitOperationAdd, CommitOperationCopy, hf_hub_download, get_hf_file_metadata, hf_hub_url
repo = "alice/python-large"
api.create_repo(repo)
large = bytes(range(256)) * (9 * 4096)
made = api.upload_file(path_or_fileobj=large, path_in_repo="dir/large file", repo_id=repo)
again = api.upload_file(path_or_fileobj=large, path_in_repo="dir/large file", repo_id=repo)
api.create_commit(repo, commit_message="two", operations=[
    CommitOperationAdd("w.bin", b"small"),
    CommitOperationCopy("dir/large file", "copy.bin"),
])
opened = api.upload_file(path_or_fileobj=b"other", path_in_repo="o.bin", repo_id=repo, create_pr=True, token="hf_sandbox_bob")
read = lambda path, **more: open(hf_hub_download(repo, path, **more), "rb").read()
about = get_hf_file_metadata(hf_hub_url(repo, "dir/large file"))
paths = [[it.path, it.size, it.lfs.sha256] for it in api.get_paths_info(repo, ["dir/large file", "w.bin"])]
siblings = [it.rfilename for it in api.model_info(repo, files_metadata=True).siblings if it.lfs]
equal = [read(path) == large for path in ["dir/large file", "copy.bin"]]
small = read("w.bin").decode()
listed = list(api.list_lfs_files(repo))
api.permanently_delete_lfs_files(repo, [it for it in listed if it.filename == "w.bin"])
tell({
    "listed": [[it.filename, it.size] for it in listed],
    "left": api.list_repo_files(repo),
    "titles": [it.title for it in api.list_repo_commits(repo)],
    "hash": hashlib.sha256(large).hexdigest(),
    "again": made.oid == again.oid,
    "equal": equal,
    "small": small,
    "pull": read("o.bin", revision=opened.pr_revision).decode(),
    "about": [about.etag, about.size],
    "paths": paths,
    "siblings": siblings,
    "attributes": read(".gitattributes").decode().splitlines()[-1],
})`)
    const size = 9 * 1024 * 1024
    expect(seen).toMatchObject({
      again: true,
      equal: [true, true],
      small: 'small',
      pull: 'other',
      about: [seen['hash'], size],
      siblings: ['copy.bin', 'dir/large file', 'w.bin'],
      attributes: 'dir/large[[:space:]]file filter=lfs diff=lfs merge=lfs -text',
    })
    expect(seen['listed']).toEqual([
      ['copy.bin', size],
      ['w.bin', 5],
      ['o.bin', 5],
    ])
    expect(seen['left']).toEqual(['.gitattributes', 'copy.bin', 'dir/large file'])
    expect(seen['titles']).toHaveLength(3)
    expect(seen['paths']).toEqual([
      ['dir/large file', size, seen['hash']],
      ['w.bin', 5, expect.any(String)],
    ])
  })

  // Upstream's own tests commit a file and its copy together, and its uploads are repeated when they break off.
  test('go by Git LFS twice in one commit, and again when an answer is lost', async () => {
    const seen = await python<Record<string, unknown>>(
      `
import json, os, urllib.request
from huggingface_hub import CommitOperationAdd
repo = "alice/python-twice"
api.create_repo(repo)
def commit(paths, content):
    added = [CommitOperationAdd(path, content) for path in paths]
    api.create_commit(repo, added, commit_message="some")
for turn in range(5):
    commit([f"{turn}/lfs.bin", f"{turn}/copy.bin", f"{turn}/third.bin"], b"LFS content %d" % turn)
large = os.urandom(9 * 1024 * 1024)
commit(["large.bin", "large-copy.bin"], large)
def lose(method):
    fault = {"match": {"route": f"/{repo}.git/info/lfs/objects/*", "method": method}, "times": 1, "break": "reset"}
    headers = {"content-type": "application/json"}
    address = api.endpoint + "/_sandbox/api/faults"
    request = urllib.request.Request(address, json.dumps(fault).encode(), headers)
    return json.load(urllib.request.urlopen(request))["id"]
faults = [lose("PUT")]
commit(["lost.bin"], b"sent again")
faults.append(lose("POST"))
commit(["lost-large.bin"], os.urandom(9 * 1024 * 1024))
rules = json.load(urllib.request.urlopen(api.endpoint + "/_sandbox/api/faults"))["items"]
tell({
    "files": api.list_repo_files(repo),
    "hits": [rule["hits"] for rule in rules if rule["id"] in faults],
})`,
      undefined,
      { HF_HUB_DISABLE_XET: '1' },
    )
    expect(seen['files']).toHaveLength(1 + 5 * 3 + 2 + 2)
    expect(seen['hits']).toEqual([1, 1])
  })

  test('live on branches, under tags and in pull requests', async () => {
    const seen = await python<Record<string, unknown>>(`
repo = "alice/python-refs"
api.create_repo(repo)
api.create_branch(repo, branch="feature/x")
api.upload_file(path_or_fileobj=b"x", path_in_repo="x.txt", repo_id=repo, revision="feature/x")
api.create_tag(repo, tag="v1", revision="feature/x", tag_message="first")
seen = {"exists": refusal(lambda: api.create_branch(repo, branch="feature/x"))}
seen["tagged"] = open(hf_hub_download(repo, "x.txt", revision="v1")).read()
opened = api.upload_file(path_or_fileobj=b"p", path_in_repo="p.txt", repo_id=repo, create_pr=True)
seen["pr"] = [opened.pr_num, opened.pr_revision]
api.upload_file(path_or_fileobj=b"q", path_in_repo="q.txt", repo_id=repo, revision=opened.pr_revision)
seen["proposed"] = api.list_repo_files(repo, revision=opened.pr_revision)
api.super_squash_history(repo, branch=opened.pr_revision)
seen["squashed"] = len(api.list_repo_commits(repo, revision=opened.pr_revision))
refs = api.list_repo_refs(repo, include_pull_requests=True)
seen["refs"] = [[it.name for it in kind] for kind in [refs.branches, refs.tags, refs.pull_requests]]
seen["outdated"] = refusal(lambda: api.upload_file(path_or_fileobj=b"z", path_in_repo="z", repo_id=repo, parent_commit="0" * 40))
api.delete_branch(repo, branch="feature/x")
api.delete_tag(repo, tag="v1")
seen["main"] = refusal(lambda: api.delete_branch(repo, branch="main"))
tell(seen)`)
    expect(seen).toMatchObject({
      exists: { text: expect.stringContaining('Reference refs/heads/feature/x already exists') },
      tagged: 'x',
      pr: [1, 'refs/pr/1'],
      proposed: ['.gitattributes', 'p.txt', 'q.txt'],
      squashed: 1,
      refs: [['main', 'feature/x'], ['v1'], ['refs/pr/1']],
      outdated: { text: expect.stringContaining('The branch was updated since') },
      main: { text: expect.stringContaining('Cannot delete refs/heads/main') },
    })
  })
})
