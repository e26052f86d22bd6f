import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

interface Layer {
  files: number
  done: number
  failed: number
  startedAt: number
  /** Share of the files at the last line, in steps. */
  told: number
}

/** Lines of a layer between its first and its last. */
const steps = 10

/** Shows how far each layer is: a line at its start, at each tenth, and at its end with the time it took. */
export default class Progress implements Reporter {
  readonly #layers = new Map<string, Layer>()
  readonly #write: (line: string) => void
  readonly #now: () => number

  constructor({
    write = (line: string) => void process.stdout.write(`${line}\n`),
    now = () => performance.now(),
  } = {}) {
    this.#write = write
    this.#now = now
  }

  onTestRunStart(specifications: readonly Pick<TestSpecification, 'project'>[]): void {
    this.#layers.clear()
    for (const { project } of specifications) {
      const layer = this.#layers.get(project.name)
      if (layer !== undefined) layer.files++
      else this.#layers.set(project.name, { files: 1, done: 0, failed: 0, startedAt: 0, told: 0 })
    }
  }

  onTestModuleQueued({ project: { name } }: Pick<TestModule, 'project'>): void {
    const layer = this.#layers.get(name)
    if (layer === undefined || layer.startedAt > 0) return
    layer.startedAt = this.#now()
    this.#write(`${name}: ${layer.files} files`)
  }

  onTestModuleEnd(module: Pick<TestModule, 'project' | 'ok'>): void {
    const { name } = module.project
    const layer = this.#layers.get(name)
    if (layer === undefined) return
    layer.done++
    if (!module.ok()) layer.failed++
    const step = Math.floor((layer.done / layer.files) * steps)
    if (step === layer.told) return
    layer.told = step
    const part = step === steps ? 'done' : `${layer.done} of ${layer.files}`
    const failures = layer.failed === 0 ? '' : `, ${layer.failed} with failures`
    this.#write(`${name}: ${part} after ${minutes(this.#now() - layer.startedAt)}${failures}`)
  }
}

/** Minutes and seconds: 1:05. */
function minutes(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
