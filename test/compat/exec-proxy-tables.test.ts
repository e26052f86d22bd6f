import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { interceptMissing } from '../helpers/intercepted-program.ts'
import { watchRun } from '../helpers/expect-silent.ts'
import { bareEnvironment } from '../helpers/programs.ts'
import { installPythonPackages } from '../helpers/python-client.ts'

const cli = fileURLToPath(new URL('../../dist/server/cli.cjs', import.meta.url))
let python: Awaited<ReturnType<typeof installPythonPackages>>

// DuckDB's extension for HTTP is a package as well, so nothing is downloaded while the test runs.
beforeAll(async () => {
  python = await installPythonPackages([
    'duckdb==1.5.5',
    'duckdb-extension-httpfs==1.5.5',
    'polars==2.1.0',
  ])
}, 240_000)
beforeEach(({ skip }) => {
  skip(interceptMissing !== undefined, interceptMissing)
  skip(python.obstacle !== undefined, python.obstacle)
})

const proxied = ['--intercept', 'https://huggingface.co', '--proxy']
const fixtures = {
  repos: [
    {
      type: 'dataset',
      name: 'alice/table',
      files: { 'a.csv': 'id,name\n1,one\n', 'b.csv': 'id,name\n2,two\n' },
    },
  ],
  users: [{ username: 'alice' }],
}

/** Runs a script by `exec --intercept --proxy`, and returns its last line as JSON. */
async function readBy(script: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-tables-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'hub-sandbox.json'), JSON.stringify(fixtures))
  const watched = watchRun(folder, proxied)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'exec', ...proxied, ...watched.flags, '--', python.interpreter, '-c', script],
    {
      cwd: folder,
      timeout: 120_000,
      env: bareEnvironment({ HOME: folder }),
    },
  )
  watched.expectSilent()
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as unknown
}

const duckdb = (client: string) => `
import json, os, duckdb, duckdb_extension_httpfs as httpfs
folder = os.path.dirname(httpfs.__file__)
con = duckdb.connect(config={"extension_directory": os.environ["HOME"]})
con.sql(f"INSTALL '{folder}/extensions/v{duckdb.__version__}/httpfs.duckdb_extension'")
con.sql("LOAD httpfs")
con.sql("SET httpfs_client_implementation = '${client}'")
con.sql(f"SET ca_cert_file = '{os.environ['SSL_CERT_FILE']}'")
con.sql("SET enable_server_cert_verification = true")
print(json.dumps([
    con.sql("FROM 'hf://datasets/alice/table/a.csv'").fetchall(),
    con.sql("FROM 'hf://datasets/alice/table/*.csv' ORDER BY id").fetchall(),
]))
`

// One of its two HTTP clients names the whole URL within a tunnel.
test.each(['httplib', 'curl'])('DuckDB reads hf:// through the proxy, with %s', async (client) => {
  expect(await readBy(duckdb(client))).toEqual([
    [[1, 'one']],
    [
      [1, 'one'],
      [2, 'two'],
    ],
  ])
})

test('polars reads hf:// through the proxy', async () => {
  const script = `
import json, polars
one = polars.scan_csv("hf://datasets/alice/table/a.csv").collect()
all = polars.scan_csv("hf://datasets/alice/table/*.csv").sort("id").collect()
print(json.dumps([one.rows(), all.rows()]))
`
  expect(await readBy(script)).toEqual([
    [[1, 'one']],
    [
      [1, 'one'],
      [2, 'two'],
    ],
  ])
})
