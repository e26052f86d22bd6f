import type { Advice } from '../contract/control-advice.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { commandLine } from '../app/config/callers.ts'
import type { CodeCache } from './code-cache/load-program.ts'
import type { SandboxOptions } from '../contract/options-types.ts'
import { resolveOptions } from '../app/config/resolve.ts'
import { type RunningSandbox, runSandbox } from '../app/run-sandbox.ts'
import { reachNotices, renderBanner, renderStartLine } from './banner.ts'
import { containerNotice, isMainOfContainer } from './container.ts'
import { print } from './output.ts'
import { wantsColor } from './paint.ts'
import { stopOnSignals } from './stop-on-signals.ts'

/**
 * Runs the sandbox until a signal arrives.
 * @param flags unparsed
 * @param codeCache saved after the first response, when all code of a start has run, and at the end
 * @throws {ConfigError | LockedError | ListenError | StateError}
 */
export async function start(
  flags: SandboxOptions,
  codeCache?: Pick<CodeCache, 'growHeapSlowly' | 'keep'>,
): Promise<void> {
  const options = await resolveOptions(flags, process.env, commandLine)
  // A closed stdout or a full disk does not stop the sandbox.
  process.stderr.on('error', () => undefined)
  process.stderr.write(`${renderStartLine(options)}\n`)
  for (const notice of [...reachNotices(options), ...options.openingNotices])
    process.stderr.write(`${notice}\n`)

  const notice = isMainOfContainer() ? containerNotice(options) : undefined
  if (notice !== undefined) process.stderr.write(`${notice}\n`)

  const stop = stopOnSignals()
  const { adviceReport } = options
  const writeAdvice = adviceReport === undefined ? undefined : await adviceWriter(adviceReport)
  const running = await runSandbox(options)
  codeCache?.growHeapSlowly()
  stop.sandboxIs({
    async close() {
      await running.close()
      await writeAdvice?.(running.deps.runAdvice.read().advice)
      // Code loaded on demand was missing at the first response.
      await codeCache?.keep()
    },
  })
  if (codeCache !== undefined) void running.firstAnswer.then(() => codeCache.keep())
  running.deps.onStopRequest(() => stop.stop())
  const { fixturesPath } = options
  if (options.watch && fixturesPath !== undefined) {
    const { watchFixtures } = await import('./watch-fixtures.ts')
    const unwatch = watchFixtures(
      fixturesPath,
      () => resolveOptions(flags, process.env, commandLine),
      running.deps,
      (line) => process.stderr.write(`${line}\n`),
    )
    running.deps.closers.add(unwatch)
  }
  for (const notice of running.notices) process.stderr.write(`${notice}\n`)
  if (options.json) print(JSON.stringify(describe(running)))
  else {
    const colored = wantsColor({}, process.stderr.isTTY, process.env)
    process.stderr.write(renderBanner(options, running, colored))
  }
  if (options.open) {
    const { openInBrowser } = await import('./open-in-browser.ts')
    openInBrowser(running.dashboardUrl)
  }
}

/** Loaded on demand: most runs write no report. */
async function adviceWriter(file: string): Promise<(advice: Advice) => Promise<void>> {
  const { adviceFormatOf, writeAdviceReport } = await import('./advice-report.ts')
  adviceFormatOf(file)
  const startedAt = new Date().toISOString()
  return (advice) => writeAdviceReport(file, advice, startedAt)
}

function describe({ url, localUrl, dashboardUrl, deps, certificatePath }: RunningSandbox) {
  const { controlToken } = deps.settings
  return {
    url,
    dashboardUrl,
    pid: process.pid,
    ...omitUndefined({
      localUrl: localUrl === url ? undefined : localUrl,
      controlToken,
      ca: certificatePath,
    }),
  }
}
