import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Installed, installCached } from '../cached-install.ts'
import { npm } from '../packed.ts'
import { hasProgram } from '../programs.ts'

/** Programs and packages on this machine. */
export interface Provided extends Partial<Installed> {
  /** Variables by which programs find it. */
  variables?: Record<string, string>
}

/**
 * Sees to it that a recipe has what it needs.
 * @param source the recipe's folder
 */
export type Needs = (source: string) => Provided | Promise<Provided>

const execute = promisify(execFile)

const installFlags = [
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--prefer-offline',
  // A registry out of reach is found out soon: each package that is tried again adds up.
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
]

/** Error text of npm, without its code and log file. */
function reasonOf(output: string): string {
  const lines = [...output.matchAll(/^npm error (.*)$/gm)].map(([, line = '']) => line)
  const told = lines.filter((line) => !/^(code|errno|syscall|path|A complete log)\b/.test(line))
  return told[0] ?? output.trim()
}

/** The packages of its `package.json`, installed once for each list of them: later runs need no registry. */
export const npmPackages: Needs = async (source) => {
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
  }
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  const list = wanted.map(([name, version]) => `${name}@${version}`)
  if (list.length === 0) return {}
  return installCached('recipe-npm', list, async (folder) => {
    copyFileSync(join(source, 'package.json'), join(folder, 'package.json'))
    const { status, stdout, stderr } = npm(['install', ...installFlags], folder)
    if (status !== 0) throw new Error(reasonOf(`${stdout}${stderr}`))
  })
}

/** The packages of its `requirements.txt`, in a virtual environment of their own. */
export const pythonPackages: Needs = async (source) => {
  const python = process.platform === 'win32' ? 'python' : 'python3'
  if (!hasProgram(python, '-c', 'import venv, ensurepip')) {
    return { obstacle: 'Python with venv and pip is not installed' }
  }
  const wanted = readFileSync(join(source, 'requirements.txt'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const programs = process.platform === 'win32' ? 'Scripts' : 'bin'
  const installed = await installCached('recipe-venv', wanted, async (folder) => {
    await execute(python, ['-m', 'venv', folder])
    const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...wanted]
    await execute(join(folder, programs, 'python'), pip)
  })
  return {
    ...installed,
    variables: {
      PATH: join(installed.folder, programs),
      VIRTUAL_ENV: installed.folder,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUNBUFFERED: '1',
    },
  }
}

/** The modules of its `go.mod`; what is built from them is kept, too. */
export const goModules: Needs = async (source) => {
  if (!hasProgram('go', 'version')) return { obstacle: 'Go is not installed' }
  const files = ['go.mod', 'go.sum'].filter((name) => existsSync(join(source, name)))
  const wanted = files.map((name) => readFileSync(join(source, name), 'utf8'))
  const variables = (folder: string) => ({
    GOMODCACHE: join(folder, 'modules'),
    GOCACHE: join(folder, 'built'),
    // The cache can be deleted as any folder can.
    GOFLAGS: '-modcacherw',
    GOTOOLCHAIN: 'local',
  })
  const installed = await installCached('recipe-go', wanted, async (folder) => {
    for (const name of files) copyFileSync(join(source, name), join(folder, name))
    const env = { ...process.env, ...variables(folder) }
    await execute('go', ['mod', 'download'], { cwd: folder, env })
  })
  return {
    ...installed,
    // Named for people: the whole of go.mod tells nobody anything.
    ...(installed.obstacle === undefined
      ? {}
      : { obstacle: installed.obstacle.replace(wanted.join(', '), 'the modules of go.mod') }),
    variables: { ...variables(installed.folder), GOPROXY: 'off' },
  }
}

/** A program that has to be there. */
export const program =
  (name: string, ...probe: string[]): Needs =>
  () =>
    hasProgram(name, ...probe) ? {} : { obstacle: `${name} is not installed` }
