import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { installPythonClient } from '../helpers/python-client.ts'
import { noise } from '../helpers/xet-files.ts'

// The newest huggingface_hub, with its command line, as pip installs it.
let sandbox: Sandbox
let folder: string
let home: string
let interpreter: string
let obstacle: string | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-buckets-'))
  const installed = await installPythonClient('2.4.0', ['hf_xet==1.8.0'])
  ;({ interpreter, obstacle } = installed)
  sandbox = await startSandbox()
}, 240_000)
beforeEach(async ({ skip }) => {
  skip(obstacle !== undefined, obstacle)
  home = mkdtempSync(join(folder, 'home-'))
  await sandbox.reset()
})
afterAll(async () => {
  await (sandbox as Sandbox | undefined)?.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = async (program: string, ...words: string[]) => {
  const { stdout } = await promisify(execFile)(program, words, {
    cwd: home,
    env: {
      ...process.env,
      HF_ENDPOINT: sandbox.url,
      HF_TOKEN: 'hf_sandbox_alice',
      HF_HOME: home,
      NO_COLOR: '1',
      HF_HUB_DISABLE_PROGRESS_BARS: '1',
    },
  })
  return stdout
}
const commandLine =
  'import sys; sys.argv[0] = "hf"; from huggingface_hub.cli.hf import main; main()'
const hf = (...words: string[]) => run(interpreter, '-c', commandLine, ...words)
const python = (script: string) => run(interpreter, '-c', script)
const list = async (...words: string[]) =>
  (await hf('buckets', 'list', ...words, '--quiet')).trim().split('\n')

function write(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), content)
}

test('hf buckets creates, copies, syncs, lists, removes, moves and deletes', async () => {
  await hf('buckets', 'create', 'results', '--private')
  expect(await list()).toEqual(['alice/results'])
  write('data/a.txt', 'first')
  write('data/sub/b.bin', 'x'.repeat(300_000))
  const bucket = 'hf://buckets/alice/results'
  await hf('buckets', 'sync', './data', bucket)
  await hf('buckets', 'cp', 'data/a.txt', `${bucket}/copy.txt`)
  expect(await list('alice/results', '-R')).toEqual(['a.txt', 'copy.txt', 'sub/b.bin'])

  write('data/a.txt', 'second, and longer')
  await hf('buckets', 'sync', './data', bucket, '--delete')
  expect(await list('alice/results', '-R')).toEqual(['a.txt', 'sub/b.bin'])
  await hf('buckets', 'sync', bucket, './down')
  expect(readFileSync(join(home, 'down/a.txt'), 'utf8')).toBe('second, and longer')
  expect(readFileSync(join(home, 'down/sub/b.bin'), 'utf8')).toBe('x'.repeat(300_000))
  await hf('buckets', 'cp', `${bucket}/a.txt`, 'one.txt')
  expect(readFileSync(join(home, 'one.txt'), 'utf8')).toBe('second, and longer')

  await hf('buckets', 'rm', 'alice/results/sub', '--recursive', '--yes')
  await hf('buckets', 'move', 'alice/results', 'acme/moved')
  expect(await list('acme/moved', '-R')).toEqual(['a.txt'])
  await hf('buckets', 'delete', 'acme/moved', '--yes')
  expect(await list('acme')).toEqual([''])
}, 120_000)

test('a file that the sandbox cuts into chunks has the hash that hf_xet gives it', async () => {
  const bytes = noise(3_000_000)
  // Parts that chunks of any size, of the most and of the least bytes consist of.
  const repeated = Buffer.alloc(50_000, bytes.subarray(0, 1000))
  const content = Buffer.concat([bytes, Buffer.alloc(300_000), repeated])
  writeFileSync(join(home, 'w.bin'), content)
  await hf('buckets', 'create', 'results')
  await hf('buckets', 'cp', 'w.bin', 'hf://buckets/alice/results/w.bin')
  const hashOf = async (url: string) => {
    const answer = await fetch(`${url}/api/buckets/alice/results/tree`)
    const [file] = (await answer.json()) as { xetHash: string; size: number }[]
    return file
  }
  const cut = await startSandbox({
    fixtures: {
      users: [{ username: 'alice' }],
      repos: [
        {
          type: 'bucket',
          name: 'alice/results',
          files: { 'w.bin': { base64: content.toString('base64') } },
        },
      ],
    },
  })
  onTestFinished(() => cut.close())
  const sent = await hashOf(sandbox.url)
  expect(sent?.size).toBe(content.length)
  expect((await hashOf(cut.url))?.xetHash).toBe(sent?.xetHash)
}, 120_000)

test('HfFileSystem reads, writes, copies and removes files of a bucket', async () => {
  const seen = await python(`
import json
from huggingface_hub import HfApi, HfFileSystem
HfApi().create_bucket("alice/results")
fs = HfFileSystem(skip_instance_cache=True)
root = "buckets/alice/results"
with fs.open(root + "/data/a.txt", "w") as file:
    file.write("hello")
with fs.open(root + "/empty", "w") as file:
    pass
fs.cp_file(root + "/data/a.txt", root + "/b.txt")
fs.rm(root + "/data/a.txt")
print(json.dumps([sorted(fs.ls(root, detail=False)), fs.read_text(root + "/b.txt"), fs.size(root + "/empty")]))
`)
  const root = 'buckets/alice/results'
  expect(JSON.parse(seen)).toEqual([[`${root}/b.txt`, `${root}/empty`], 'hello', 0])
}, 60_000)

test('HfFileSystem follows the changes that others make', async () => {
  const seen = await python(`
import json, time
from huggingface_hub import HfApi, HfFileSystem
api = HfApi()
api.create_bucket("alice/results")
root = "buckets/alice/results"

def names(fs):
    return [path.rsplit("/")[-1] for path in fs.ls(root, detail=False)]

def until(fs, expected):
    left = time.monotonic() + 30
    while names(fs) != expected and time.monotonic() < left:
        time.sleep(0.05)
    return names(fs)

followers = HfFileSystem(skip_instance_cache=True, live_follow=True)
others = HfFileSystem(skip_instance_cache=True)
api.batch_bucket_files("alice/results", add=[(b"one", "a.txt")])
seen = [names(followers), names(others)]
# The first listing begins the stream, which a change must not come before.
from huggingface_hub import _bucket_live_follow as feed
left = time.monotonic() + 30
while not all(one.subscribed for one, _ in feed.BUCKET_FOLLOWERS.values()) and time.monotonic() < left:
    time.sleep(0.05)
api.batch_bucket_files("alice/results", add=[(b"two", "b.txt")])
seen += [until(followers, ["a.txt", "b.txt"]), names(others)]
print(json.dumps(seen))
`)
  // The other one lists what it has in its cache.
  expect(JSON.parse(seen)).toEqual([['a.txt'], ['a.txt'], ['a.txt', 'b.txt'], ['a.txt']])
}, 90_000)

test('a script of a job goes to the bucket of the artifacts of its namespace', async () => {
  write('train.py', 'print("trained")')
  const seen = await python(`
import json
from huggingface_hub import HfApi
api = HfApi()
job = api.run_uv_job("train.py")
files = [file.path for file in api.list_bucket_tree("alice/jobs-artifacts", recursive=True)]
print(json.dumps([job.owner.name, [path.rsplit("/")[-1] for path in files], api.bucket_info("alice/jobs-artifacts").private]))
`)
  expect(JSON.parse(seen.trim().split('\n').at(-1) ?? '')).toEqual(['alice', ['train.py'], true])
}, 60_000)

test('a job reads its script from the bucket, and what it writes there is downloaded', async () => {
  // Runs the script of a job where its volume is.
  write(
    'run.cjs',
    `
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const [volume] = JSON.parse(process.env.JOB_VOLUMES)
const words = [...JSON.parse(process.env.JOB_COMMAND), ...JSON.parse(process.env.JOB_ARGUMENTS)]
const [, name] = /\\/data\\/(\\S+\\.py)/.exec(words.join(' '))
const script = join(volume.folder, name)
const { status } = spawnSync(process.env.PYTHON, [script], { stdio: 'inherit' })
process.exit(status)
`,
  )
  const command = `"${process.execPath}" "${join(home, 'run.cjs')}"`
  const running = await startSandbox({ runJobs: { '*': command }, runJobsEnv: ['PYTHON'] })
  onTestFinished(() => running.close())
  write(
    'train.py',
    'from pathlib import Path\nPath(__file__).with_name("out.txt").write_text("trained")\nprint("done")\n',
  )
  const seen = await run(
    interpreter,
    '-c',
    `
import json, os, sys
from huggingface_hub import HfApi, Volume
api = HfApi(endpoint=${JSON.stringify(running.url)}, token="hf_sandbox_alice")
job = api.run_uv_job("train.py", env={"PYTHON": sys.executable})
log = list(api.fetch_job_logs(job_id=job.id, follow=True))
files = sorted(file.path.rsplit("/")[-1] for file in api.list_bucket_tree("alice/jobs-artifacts", recursive=True))
api.create_bucket("alice/runs")
api.batch_bucket_files("alice/runs", add=[(b'from pathlib import Path\\nPath(__file__).with_name("made.txt").write_text("made")', "code/step.py")])
volume = Volume(type="bucket", source="alice/runs", mount_path="/data", path="code")
second = api.run_job(image="python:3.12", command=["python", "/data/step.py"], volumes=[volume], env={"PYTHON": sys.executable})
list(api.fetch_job_logs(job_id=second.id, follow=True))
api.download_bucket_files("alice/runs", files=[("code/made.txt", "made.txt")])
print(json.dumps(["done" in log, files, api.inspect_job(job_id=job.id).status.stage, second.volumes[0].path, open("made.txt").read()]))
`,
  )
  expect(JSON.parse(seen.trim().split('\n').at(-1) ?? '')).toEqual([
    true,
    ['out.txt', 'train.py'],
    'COMPLETED',
    'code',
    'made',
  ])
}, 120_000)
