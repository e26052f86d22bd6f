import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { castAt } from '../helpers/cast.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const fixtures: FixturesFile = {
  users: [
    { username: 'alice', isPro: true, canPay: true, tokens: [{ token: 'hf_sandbox_alice' }] },
    { username: 'bob', isPro: true, canPay: true, tokens: [{ token: 'hf_sandbox_bob' }] },
  ],
  repos: [
    {
      type: 'bucket',
      name: 'alice/results',
      private: true,
      files: {
        'run/in.txt': 'input',
        'run/old.txt': 'old',
        'run/same.txt': 'same',
        'run/sub/deep.txt': 'deep',
        'outside.txt': 'outside',
      },
    },
    { type: 'bucket', name: 'bob/public', files: { a: 'a', 'a/b': 'b', 'in.txt': '' } },
    { type: 'dataset', name: 'alice/corpus', private: true, files: { 'rows.csv': 'a,b' } },
  ],
}

/** Reads and changes what is mounted at `/data` and `/corpus`. */
const program = `
const { readFileSync, writeFileSync, rmSync, mkdirSync, symlinkSync, existsSync } = require('node:fs')
const { join } = require('node:path')
const volumes = JSON.parse(process.env.JOB_VOLUMES)
const at = (mountPath) => volumes.find((volume) => volume.mountPath === mountPath).folder
const data = at('/data')
console.log('read ' + readFileSync(join(data, 'in.txt'), 'utf8') + ' ' + existsSync(join(data, 'outside.txt')))
if (volumes.length > 1) console.log('rows ' + readFileSync(join(at('/data/corpus'), 'rows.csv'), 'utf8'))
console.log('relative ' + readFileSync('volumes/data/in.txt', 'utf8'))
writeFileSync(join(data, 'in.txt'), 'changed')
writeFileSync(join(data, 'same.txt'), 'same')
mkdirSync(join(data, 'out'))
writeFileSync(join(data, 'out/model.bin'), Buffer.alloc(40 * 1024 * 1024, 'weights '))
writeFileSync(join(data, 'out/empty'), '')
rmSync(join(data, 'old.txt'))
symlinkSync('/etc/passwd', join(data, 'link'))
if (volumes.length > 1) writeFileSync(join(at('/data/corpus'), 'added.csv'), 'x')
process.exit(Number(process.env.EXIT ?? 0))
`

async function start() {
  const file = join(temporaryDirectory(), 'program.cjs')
  writeFileSync(file, program)
  const runJobs = { '*': `"${process.execPath}" "${file}"` }
  const sandbox = await startTestSandbox({ fixtures, runJobs, runJobsEnv: ['EXIT'] })
  const as = castAt(sandbox)
  const run = (body: object, owner = 'alice') => {
    const job = { dockerImage: 'python:3.12', command: ['x'], ...body }
    return as(owner).post<{ id: string }>(`/api/jobs/${owner}`, job)
  }
  /** Runs a job to its end. */
  async function finish(body: object, owner = 'alice') {
    const path = `/api/jobs/${owner}/${(await run(body, owner)).body.id}`
    // The log ends with the job.
    const log = (await as(owner).get(`${path}/logs`)).bytes.toString()
    const job = await as(owner).get<{ status: { stage: string; message: string | null } }>(path)
    return { log, ...job.body.status }
  }
  const read = (path: string) => fetch(`${sandbox.url}${path}`, { headers: { authorization } })
  const paths = async (bucket = 'alice/results') =>
    (await as('alice').get<{ path: string }[]>(`/api/buckets/${bucket}/tree`)).body.map(
      ({ path }) => path,
    )
  return { sandbox, read, run, finish, paths }
}

const authorization = 'Bearer hf_sandbox_alice'
const before = ['outside.txt', 'run/in.txt', 'run/old.txt', 'run/same.txt', 'run/sub/deep.txt']
const data = { type: 'bucket', source: 'alice/results', mountPath: '/data', path: 'run' }

test('a bucket and a dataset are folders of the process, whose changes are stored in the bucket', async () => {
  const { sandbox, read, finish, paths } = await start()
  await sandbox.control('POST', 'webhooks', {
    owner: 'alice',
    url: 'http://localhost:9/',
    watched: [{ type: 'bucket', name: 'alice/results' }],
  })
  const corpus = { type: 'dataset', source: 'alice/corpus', mountPath: '/data/corpus' }
  const { stage, log } = await finish({ volumes: [data, corpus] })
  expect(log).toContain('read input false')
  expect(log).toContain('relative input')
  expect(log).toContain('rows a,b')
  expect(log).toContain('dataset alice/corpus is at')
  expect(stage).toBe('COMPLETED')
  expect(await paths()).toEqual([
    'outside.txt',
    'run/in.txt',
    'run/out/empty',
    'run/out/model.bin',
    'run/same.txt',
    'run/sub/deep.txt',
  ])
  expect(await (await read('/buckets/alice/results/resolve/run/in.txt')).text()).toBe('changed')
  const text = await (await read('/buckets/alice/results/resolve/run/out/model.bin')).text()
  expect(text === 'weights '.repeat(5 * 1024 * 1024)).toBe(true)
  expect((await read('/datasets/alice/corpus/resolve/main/added.csv')).status).toBe(404)

  const items = await sandbox.deliveries()
  expect(items).toHaveLength(1)
  const { updatedFiles } = items[0]!.payload as { updatedFiles: object[] }
  expect(updatedFiles.map((file) => ({ ...file, xetHash: '' }))).toEqual([
    { path: 'run/in.txt', action: 'add', xetHash: '', size: 7 },
    { path: 'run/out/empty', action: 'add', xetHash: '', size: 0 },
    { path: 'run/out/model.bin', action: 'add', xetHash: '', size: 40 * 1024 * 1024 },
    { path: 'run/old.txt', action: 'delete', xetHash: '' },
  ])
})

test('a job that fails keeps what it wrote; a read-only bucket keeps nothing', async () => {
  const { finish, paths } = await start()
  const readOnly = await finish({ volumes: [{ ...data, readOnly: true }] })
  expect([readOnly.stage, await paths()]).toEqual(['COMPLETED', before])
  expect(readOnly.log).toContain('read-only')
  const failed = await finish({ volumes: [data], environment: { EXIT: '3' } })
  expect([failed.stage, failed.message]).toEqual(['ERROR', 'exit code 3'])
  expect(await paths()).toContain('run/out/model.bin')
})

test.each([
  [
    'a bucket that the user may not read',
    data,
    'cannot mount bucket alice/results: Repository not found',
  ],
  [
    'a folder that is not there',
    { ...data, source: 'bob/public', path: 'none' },
    'cannot mount bucket bob/public: it has no folder none',
  ],
  [
    'a dataset that is not there',
    { type: 'dataset', source: 'bob/none', mountPath: '/data' },
    'cannot mount dataset bob/none: Repository not found',
  ],
])('a job with %s fails, and its program is not run', async (_name, volume, message) => {
  const { finish } = await start()
  const { stage, log, message: why } = await finish({ volumes: [volume] }, 'bob')
  expect(stage).toBe('ERROR')
  expect(why).toContain(message)
  expect(log).not.toContain('read input')
})

test('one of two files that a disk cannot have both is left out, and stays in the bucket', async () => {
  const { finish, paths } = await start()
  const volume = { type: 'bucket', source: 'bob/public', mountPath: '/data' }
  const { log } = await finish({ volumes: [volume] }, 'bob')
  expect(log).toContain('bucket bob/public: a/b is left out')
  expect(await paths('bob/public')).toEqual([
    'a',
    'a/b',
    'in.txt',
    'out/empty',
    'out/model.bin',
    'same.txt',
  ])
})

test('a job leaves no folder behind', async () => {
  const folder = temporaryDirectory()
  vi.stubEnv('TMPDIR', folder)
  const { finish } = await start()
  await finish({ volumes: [data] })
  await expect.poll(() => readdirSync(folder).filter((name) => name.includes('-job-'))).toEqual([])
})

test.each([
  [
    { ...data, type: 'kernel' },
    'volumes[0].type must be one of bucket, model, dataset, space, not',
  ],
  [{ ...data, source: 'results' }, 'volumes.0.source: The source is namespace/name.'],
  [{ ...data, mountPath: 'data' }, 'volumes.0.mountPath: The mount path is absolute'],
  [{ ...data, mountPath: '/' }, 'Invalid mount path /: it is empty.'],
  [{ ...data, mountPath: '/data/../..' }, 'it leads through "." or ".."'],
  [{ ...data, path: '../x' }, 'volumes.0.path: The path is a folder of the source.'],
  [{ ...data, readOnly: 'yes' }, 'volumes[0].readOnly must be true or false, not'],
])('an invalid volume is refused, case %#', async (volume, message) => {
  const { run } = await start()
  const { status, bytes } = await run({ volumes: [volume] })
  expect([status, bytes.toString()]).toEqual([
    400,
    expect.stringContaining(JSON.stringify(message).slice(1, -1)),
  ])
})
