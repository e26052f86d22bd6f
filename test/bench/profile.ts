/** What V8 writes for a profile, as far as it is read here. */
export interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
  }[]
  samples: number[]
  /** Microseconds before each sample. */
  timeDeltas: number[]
}

export interface Share {
  name: string
  /** Of the time in which the program was not idle. */
  share: number
}

export interface Breakdown {
  busyMs: number
  idleMs: number
  /** Rooms of the server, dependencies, modules of Node, native code and the collector, by their own time. */
  origins: Share[]
  /** With file and line. */
  functions: Share[]
}

/**
 * Where the time of a profile went.
 * @param readSource the text of a bundle, in which comments name the source of what follows
 */
export function breakDown(
  profile: CpuProfile,
  readSource: (url: string) => string | undefined,
): Breakdown {
  const sources = new Map<string, ReturnType<typeof readOrigins>>()
  const sourceOf = (url: string, line: number) => {
    if (!sources.has(url)) sources.set(url, readOrigins(readSource(url) ?? ''))
    return sources.get(url)!(line)
  }
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const origins = new Map<string, number>()
  const functions = new Map<string, number>()
  let busy = 0
  let idle = 0
  for (const [index, id] of profile.samples.entries()) {
    const frame = frames.get(id)
    const elapsed = Math.max(0, profile.timeDeltas[index] ?? 0)
    if (frame === undefined || frame.functionName === '(root)') continue
    if (frame.functionName === '(idle)') {
      idle += elapsed
      continue
    }
    busy += elapsed
    const { url, lineNumber, functionName } = frame
    const source = sourceOf(url, lineNumber)
    add(origins, originOf(functionName, url, source?.file), elapsed)
    const place = source === undefined ? fileOf(url, lineNumber) : `${source.file}:${source.line}`
    add(functions, `${functionName || '(anonymous)'}  ${place}`.trimEnd(), elapsed)
  }
  return {
    busyMs: busy / 1000,
    idleMs: idle / 1000,
    origins: sharesOf(origins, busy),
    functions: sharesOf(functions, busy),
  }
}

/** The breakdown for people. */
export function formatBreakdown({ busyMs, idleMs, origins, functions }: Breakdown): string {
  const lines = (shares: readonly Share[], most: number) =>
    shares
      .slice(0, most)
      .map(({ name, share }) => `${(share * 100).toFixed(1).padStart(6)} %  ${name}`)
  return [
    `busy ${Math.round(busyMs)} ms, idle ${Math.round(idleMs)} ms; shares of the busy time, self time; lines as the bundle has them`,
    ...lines(origins, 30),
    '',
    'functions',
    ...lines(functions, 30),
  ].join('\n')
}

/** @returns of a line of the bundle, counted from 0, the source that it came from and about which line of it */
function readOrigins(text: string) {
  const starts: { at: number; file: string }[] = []
  for (const [at, line] of text.split('\n').entries()) {
    const file = /^\/\/(?:#region)? ?((?:\.\.\/)*[\w@].*\.(?:[cm]?[jt]sx?|json))$/.exec(line)?.[1]
    if (file !== undefined) starts.push({ at, file })
  }
  return (line: number): { file: string; line: number } | undefined => {
    const start = starts.findLast(({ at }) => at <= line)
    return start && { file: start.file, line: line - start.at }
  }
}

function originOf(functionName: string, url: string, source: string | undefined): string {
  if (functionName === '(garbage collector)') return 'garbage collector'
  // Named by V8 itself: what runs outside of JavaScript.
  if (functionName === '(program)' || url === '') return 'native code'
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  const path = source ?? url
  const dependency = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
  if (dependency !== undefined) return dependency
  return source?.split('/').slice(0, -1).slice(0, 2).join('/') ?? fileOf(url)
}

function fileOf(url: string, line?: number): string {
  const file = url.split('/').at(-1) ?? ''
  return line === undefined || url === ''
    ? file
    : `${url.startsWith('node:') ? url : file}:${line + 1}`
}

function add(sums: Map<string, number>, name: string, amount: number): void {
  sums.set(name, (sums.get(name) ?? 0) + amount)
}

function sharesOf(sums: ReadonlyMap<string, number>, whole: number): Share[] {
  return [...sums]
    .map(([name, sum]) => ({ name, share: sum / whole }))
    .toSorted((a, b) => b.share - a.share)
}
