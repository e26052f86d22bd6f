import type { SpaceFrameItem } from '../../contract/control-frames.ts'
import { frameHost } from '../../contract/frame-host.ts'
import { suggestion } from '../../contract/suggestion.ts'
import { Refusal } from '../../core/refusal.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import { pageVariables, spaceVariables } from '../../hub/spaces/space-variables.ts'
import type { Frame } from './frames.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { nameKey } from '../../store/state.ts'
import type { ServerDeps } from '../server-deps.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'

/** Space frames: an app in a cross-site frame. */
export const frameRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const { frames, settings } = deps
  const describe = (frame: Frame) => describeFrame(settings, frame)

  control(app, 'GET space-frames', async () => ({ items: frames.list().map(describe) }))
  control(app, 'POST space-frames', async ({ body }) => {
    const space = body.space === undefined ? undefined : requireSpace(deps, body.space).name
    return describe(await frames.open({ ...body, space }))
  })
  control(app, 'GET space-frames/:id', async ({ params: { id } }) => {
    const [frame, findings] = [frames.get(id), frames.findings(id)]
    if (frame === undefined || findings === undefined) throw unknownFrame(id)
    const { cookies, calls, problems } = findings
    const item = describe(frame)
    const space = frame.space === undefined ? undefined : findSpace(deps, frame.space)
    return {
      ...item,
      cookies: [...cookies],
      problems: [...problems],
      calls: calls.map(({ id: callId, at, place, method, path, status, cookies: sent, set }) => ({
        id: callId,
        at: isoTime(at),
        place,
        method,
        path,
        status,
        cookies: sent,
        set,
      })),
      ...(space === undefined
        ? {}
        : {
            variables: spaceVariables(
              deps,
              space,
              frameHost(new URL(settings.baseUrl).hostname, frame.port),
            ),
            ...omitUndefined({ pageVariables: pageVariables(deps, space.name) }),
          }),
    }
  })
  control(app, 'PATCH space-frames/:id', async ({ params: { id }, body: { mode } }) => {
    const frame = frames.setMode(id, mode)
    if (frame === undefined) throw unknownFrame(id)
    return describe(frame)
  })
  control(app, 'DELETE space-frames/:id', async ({ params: { id } }) => {
    if (!(await frames.close(id))) throw unknownFrame(id)
    return {}
  })
}

function describeFrame(
  { baseUrl }: Pick<ServerDeps['settings'], 'baseUrl'>,
  { openedAt, ...frame }: Frame,
): SpaceFrameItem {
  const { pathname, search } = new URL(frame.target)
  const { protocol, hostname } = new URL(baseUrl)
  const origin = `${protocol}//${frameHost(hostname, frame.port)}`
  return {
    ...frame,
    url: `${origin}${pathname}${search}`,
    pageUrl: `${baseUrl}/_sandbox/space-frames/${frame.id}`,
    openedAt: isoTime(openedAt),
  }
}

/** @throws {Refusal} `not_found` */
function requireSpace(deps: ServerDeps, name: string): Repo {
  const found = findSpace(deps, name)
  if (found !== undefined) return found
  const names = [...deps.state.repos.values()].flatMap((repo) =>
    repo.type === 'space' ? [repo.name] : [],
  )
  throw new Refusal('not_found', `There is no Space ${name}${suggestion(name, names)}.`)
}

function findSpace({ state }: Pick<ServerDeps, 'state'>, name: string): Repo | undefined {
  const key = nameKey(name.replace(/^spaces\//, ''))
  return [...state.repos.values()].find(
    (repo) => repo.type === 'space' && nameKey(repo.name) === key,
  )
}

function unknownFrame(id: string): Refusal {
  return new Refusal('not_found', `There is no Space frame ${id}.`)
}
