import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { findRepo } from '../../../server/hub/access/find-repo.ts'
import type { RunningSandbox } from '../../../server/app/run-sandbox.ts'
import { json, text } from '../inputs.ts'
import { must } from '../target.ts'

/** A request whose body is read while it comes, and which no schema describes. */
export interface Streamed {
  kind: 'commit' | 'upload-pack' | 'receive-pack' | 'large-file'
  /** `{{head}}` is the commit that `main` is at. */
  parts: string[]
  headers: [name: string, value: string][]
  query: string
  /** So many bytes come, where there are more. */
  cut: number
}

const zero = '0'.repeat(40)
const other = 'a'.repeat(40)
const content = Buffer.from('hello\n').toString('base64')
const hash = createHash('sha256').update('hello\n').digest('hex')

/** A line of git with its length before it (gitprotocol-common "pkt-line Format"). */
const packet = (line: string) => (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line

const packets = (...lines: string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...lines.map(packet), '0000') },
    { weight: 2, arbitrary: text(...lines).map(packet) },
    { weight: 1, arbitrary: fc.constantFrom('0001', '0002', '0003', '0004', 'ffff', 'zzzz', '') },
    { weight: 1, arbitrary: text('PACK', '0000', '\0') },
  )

/** Whole ones stand first, so that others come behind what is in order. */
const question = packets(
  'command=fetch\n',
  'command=ls-refs\n',
  'agent=git/2\n',
  'object-format=sha1\n',
  'want {{head}}\n',
  `want {{head}} multi_ack side-band-64k ofs-delta\n`,
  `want ${other}\n`,
  `have ${other}\n`,
  'have {{head}}\n',
  'deepen 1\n',
  'deepen 0\n',
  'deepen-since 1\n',
  'deepen-not main\n',
  `shallow {{head}}\n`,
  'filter blob:none\n',
  'ref-prefix refs/\n',
  'symrefs\n',
  'peel\n',
  'done\n',
)

const emptyPack = Buffer.concat([
  Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1'),
  createHash('sha1').update(Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')).digest(),
]).toString('latin1')

const caps = '\0report-status side-band-64k atomic object-format=sha1 agent=git/2'
const push = fc.oneof(
  {
    weight: 6,
    arbitrary: packets(
      `{{head}} ${zero} refs/heads/main${caps}`,
      `${zero} {{head}} refs/heads/one${caps}`,
      `${zero} {{head}} refs/tags/one`,
      `{{head}} ${other} refs/heads/main${caps}`,
      `${zero} {{head}} refs/pr/1`,
      `${zero} {{head}} refs/heads/one/two`,
      `${zero} {{head}} HEAD`,
      `${zero} {{head}} refs/heads/..`,
      `shallow {{head}}`,
    ),
  },
  { weight: 1, arbitrary: fc.constant(emptyPack) },
)

const commitLine = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(
        { key: 'header', value: { summary: 'a' } },
        { key: 'header', value: { summary: 'a', description: 'b', parentCommit: '{{head}}' } },
        { key: 'file', value: { path: 'a.txt', content, encoding: 'base64' } },
        { key: 'file', value: { content: 'text', path: 'b/c.txt', encoding: 'utf-8' } },
        { key: 'file', value: { path: 'a.txt/b', content } },
        { key: 'lfsFile', value: { path: 'large.bin', algo: 'sha256', oid: hash, size: 6 } },
        { key: 'deletedFile', value: { path: 'README.md' } },
        { key: 'deletedFolder', value: { path: 'b' } },
        { key: 'copyFile', value: { path: 'd', srcPath: 'README.md', srcRevision: 'main' } },
      )
      .map((line) => JSON.stringify(line)),
  },
  {
    weight: 2,
    arbitrary: fc
      .record(
        {
          key: text('header', 'file', 'lfsFile', 'deletedFile'),
          value: fc.oneof(
            json,
            fc.dictionary(
              fc.constantFrom('path', 'content', 'encoding', 'oid', 'size', 'summary', 'algo'),
              fc.oneof(text('..', '.git', 'README.md', '/', '\\', content), json),
            ),
          ),
        },
        { noNullPrototype: true },
      )
      .map((line) => JSON.stringify(line)),
  },
  { weight: 1, arbitrary: text('{"key":"file","value":{', '"content":"', content, '\\', '"', '}') },
)

const partsOf: Readonly<Record<Streamed['kind'], fc.Arbitrary<string[]>>> = {
  commit: fc
    .array(commitLine, { maxLength: 8 })
    .chain((lines) =>
      fc.constantFrom(['{"key":"header","value":{"summary":"s"}}', ...lines], lines),
    )
    .map((lines) => lines.map((line) => `${line}\n`)),
  'upload-pack': fc.array(question, { maxLength: 8 }),
  'receive-pack': fc.array(push, { maxLength: 6 }),
  'large-file': fc.array(text('hello\n'), { maxLength: 2 }),
}

const header = fc.oneof(
  fc.tuple(
    fc.constant('git-protocol'),
    fc.constantFrom('version=2', 'version=1', 'version=x', ':'),
  ),
  fc.tuple(fc.constant('content-encoding'), fc.constantFrom('gzip', 'identity', 'br', '')),
  fc.tuple(fc.constant('content-type'), text('application/x-ndjson', 'text/plain', ';')),
  fc.tuple(fc.constant('content-length'), fc.constantFrom('6', '0')),
)

export const streamed: fc.Arbitrary<Streamed> = fc
  .constantFrom<Streamed['kind']>('commit', 'upload-pack', 'receive-pack', 'large-file')
  .chain((kind) =>
    fc.record(
      {
        kind: fc.constant(kind),
        parts: partsOf[kind],
        headers: fc.oneof(
          { weight: 4, arbitrary: fc.constant<Streamed['headers']>([]) },
          {
            weight: kind === 'upload-pack' ? 6 : 1,
            arbitrary: fc.constant<Streamed['headers']>([['git-protocol', 'version=2']]),
          },
          { weight: 1, arbitrary: fc.array(header, { maxLength: 2 }) },
        ),
        query: fc.oneof(
          { weight: 4, arbitrary: fc.constant('') },
          { weight: 1, arbitrary: fc.constantFrom('?create_pr=1', '?hot_reload=1', '?x') },
        ),
        cut: fc.oneof(
          { weight: 5, arbitrary: fc.constant(1_000_000) },
          { weight: 1, arbitrary: fc.nat(400) },
        ),
      },
      { noNullPrototype: true },
    ),
  )

const types: Readonly<Record<Streamed['kind'], string>> = {
  commit: 'application/x-ndjson',
  'upload-pack': 'application/x-git-upload-pack-request',
  'receive-pack': 'application/x-git-receive-pack-request',
  'large-file': 'application/octet-stream',
}

const foreseen = new Set([501, 503])
const name = 'acme/tagger'
const authorization = 'Bearer hf_sandbox_alice'

/** Target repo that its user may write to. */
async function pathOf({ app }: RunningSandbox, kind: Streamed['kind']): Promise<string> {
  if (kind === 'commit') return `/api/models/${name}/commit/main`
  if (kind !== 'large-file') return `/${name}.git/git-${kind}`
  // Its address carries the permission, where the content is not there yet.
  const answer = await app.inject({
    method: 'POST',
    url: `/${name}.git/info/lfs/objects/batch`,
    headers: { authorization, 'content-type': 'application/vnd.git-lfs+json' },
    payload: JSON.stringify({ operation: 'upload', objects: [{ oid: hash, size: 6 }] }),
  })
  const href = /"href":"https?:\/\/[^/"]+([^"]+)"/.exec(answer.body)?.[1]
  return href ?? `/${name}.git/info/lfs/objects/${hash}`
}

/** Sends it, and holds its answer against what must be true of all. */
export async function playStreamed(sandbox: RunningSandbox, input: Streamed): Promise<void> {
  const { app, deps } = sandbox
  const refs = () => {
    const repos = Array.from(deps.state.repos.values(), (repo) => [repo.id, repo.refs])
    return JSON.stringify(repos)
  }
  const before = refs()
  const head = findRepo(deps, 'model', name)?.repo.refs['refs/heads/main'] ?? zero
  const whole = Buffer.from(input.parts.join('').replaceAll('{{head}}', head), 'latin1')
  const { statusCode, body } = await app.inject({
    method: input.kind === 'large-file' ? 'PUT' : 'POST',
    url: (await pathOf(sandbox, input.kind)) + input.query,
    headers: {
      authorization,
      'content-type': types[input.kind],
      ...Object.fromEntries(
        input.headers.map(([header, value]) => [header, value.replaceAll(/[^\x20-\x7e]/g, '')]),
      ),
    },
    payload: whole.subarray(0, input.cut),
  })
  const answered = `${input.kind} was answered ${statusCode}: ${body.slice(0, 500)}`
  must(statusCode < 500 || foreseen.has(statusCode), answered)
  for (const file of await readAll(sandbox))
    must(file.statusCode === 200, `${answered}, then ${file.body}`)
  if (statusCode < 400) return
  must(refs() === before, `${answered}, and refs have moved`)
  const logged = deps.requests.values().at(-1)
  must(
    logged?.detail !== undefined || logged?.response.body !== undefined,
    `${answered}, and the request log does not say why`,
  )
}

/** All that refs lead to is there. */
function readAll({ app, deps }: RunningSandbox) {
  const refs = Object.keys(findRepo(deps, 'model', name)?.repo.refs ?? {})
  return Promise.all(
    refs.map((ref) =>
      app.inject({
        url: `/api/models/${name}/tree/${encodeURIComponent(ref)}?recursive=true&expand=true`,
        headers: { authorization },
      }),
    ),
  )
}
