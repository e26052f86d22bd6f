/** One instruction of a Dockerfile, its lines joined. */
export interface Instruction {
  readonly name: string
  /** Arguments after the instruction, without flags. */
  readonly text: string
  readonly flags: Readonly<Record<string, string>>
}

export interface DockerStage {
  readonly from: string
  readonly name?: string
  readonly instructions: readonly Instruction[]
}

/** The instructions of a Dockerfile by stage, with the values of its leading `ARG`s put in where they are used. */
export function parseDockerfile(source: string): readonly DockerStage[] {
  const args: Record<string, string> = {}
  const stages: (DockerStage & { instructions: Instruction[] })[] = []
  for (const instruction of instructionsOf(source)) {
    const { name, text } = instruction
    if (name === 'FROM') {
      const [, from = '', , as] = /^(\S+)( AS (\S+))?$/i.exec(expand(text, args)) ?? []
      stages.push({ from, instructions: [], ...(as === undefined ? {} : { name: as }) })
    } else if (stages.length === 0) {
      const [key = '', value = ''] = text.split('=', 2)
      args[key] = value
    } else stages.at(-1)?.instructions.push(instruction)
  }
  return stages
}

function instructionsOf(source: string): Instruction[] {
  const lines = source
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    const flags: Record<string, string> = {}
    const text = rest.replaceAll(/(?<=^|\s)--([a-z-]+)=(\S+)\s*/g, (flag, key: string, value) => {
      if (name === 'RUN') return flag
      flags[key] = value
      return ''
    })
    return { name, text: text.trim(), flags }
  })
}

/** Puts values in the place of `$NAME` and `${NAME}`. */
export function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
    return values[braced ?? bare ?? ''] ?? whole
  })
}

/** The last word of an instruction of the stage that says its whole value. */
export function lastOf(stage: DockerStage, name: string): string {
  return stage.instructions.findLast((instruction) => instruction.name === name)?.text ?? ''
}

/** The pairs of every `ENV` or `LABEL`. */
export function pairsOf(
  stage: DockerStage,
  name: 'ENV' | 'LABEL',
  known: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const { text } of stage.instructions.filter((one) => one.name === name)) {
    for (const [, key = '', value = ''] of text.matchAll(/([\w.]+)="([^"]*)"/g)) {
      pairs[key] = expand(value, { ...known, ...pairs })
    }
  }
  return pairs
}

/** A command in its exec form. */
export function commandOf(text: string): string[] {
  return JSON.parse(text.replace(/^CMD /, '')) as string[]
}

/** Whether a `.dockerignore` of plain lines leaves a file to the build. */
export function isInContext(ignore: string, path: string): boolean {
  let isIn = true
  for (const line of ignore.split('\n').filter((text) => !/^\s*(#|$)/.test(text))) {
    const pattern = line.replace(/^!/, '').replaceAll(/[.+]/g, String.raw`\$&`)
    const matches = new RegExp(`^${pattern.replaceAll('*', '[^/]*')}(/|$)`)
    if (matches.test(path)) isIn = line.startsWith('!')
  }
  return isIn
}
