import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Timeout for a tool that hangs. */
const patienceMs = 3000

/**
 * Finds the program that listens on a port of this machine.
 * @returns such as `node (process 123)`; undefined if unknown
 */
export async function whoListens(
  port: number,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  try {
    if (platform === 'linux') return await byProc(port)
    return await (platform === 'win32' ? byNetstat(port) : byLsof(port))
  } catch {
    // The tool is missing or not permitted: the port is reported without a name.
    return undefined
  }
}

async function byProc(port: number): Promise<string | undefined> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  )
  const inodes = new Set(tables.flatMap((table) => listeningInodes(table, port)))
  if (inodes.size === 0) return undefined
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    // Processes of other users are unreadable, and some end meanwhile.
    const links = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const link of links) {
      const target = await readlink(`/proc/${pid}/fd/${link}`).catch(() => '')
      const [, inode = ''] = /^socket:\[(\d+)\]$/.exec(target) ?? []
      if (!inodes.has(inode)) continue
      const name = await readFile(`/proc/${pid}/comm`, 'utf8')
      return `${name.trim()} (process ${pid})`
    }
  }
  return undefined
}

/** Returns the listening sockets (state 0A) of the port from a table of /proc/net. */
export function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table.split('\n').flatMap((line) => {
    const cells = line.trim().split(/\s+/)
    return cells[1]?.endsWith(suffix) === true && cells[3] === '0A' ? (cells[9] ?? []) : []
  })
}

async function byLsof(port: number): Promise<string | undefined> {
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']
  const { stdout } = await run('lsof', args, { timeout: patienceMs })
  const [, pid, name] = /^p(\d+)\nc(.+)$/m.exec(stdout) ?? []
  return pid === undefined ? undefined : `${name} (process ${pid})`
}

async function byNetstat(port: number): Promise<string | undefined> {
  const { stdout } = await run('netstat', ['-ano', '-p', 'TCP'], { timeout: patienceMs })
  const pid = listeningProcess(stdout, port)
  return pid === undefined ? undefined : `process ${pid}`
}

/** Finds the listening process in Windows' table by the empty remote address, since the word for the state is translated. */
export function listeningProcess(table: string, port: number): string | undefined {
  for (const line of table.split(/\r?\n/)) {
    const [, local = '', partner = '', , pid] = line.trim().split(/\s+/)
    if (local.endsWith(`:${port}`) && /^(0\.0\.0\.0|\[::\]):0$/.test(partner)) return pid
  }
  return undefined
}
