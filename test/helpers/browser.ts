import type { SandboxApp } from '../../server/web/front-door.ts'
import { encode, type Parameters } from './oauth-client.ts'
import { formOf } from './page.ts'

type Answer = Awaited<ReturnType<typeof inject>>

function inject(
  server: SandboxApp,
  method: 'GET' | 'POST',
  url: string,
  cookie: string,
  form?: string,
) {
  return server.inject({
    method,
    url,
    headers: {
      accept: 'text/html',
      ...(cookie === '' ? {} : { cookie }),
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form === undefined ? {} : { payload: form }),
  })
}

/** A browser as far as these pages need one: it keeps the cookie, follows redirects and submits forms. */
export function openBrowser(server: SandboxApp) {
  let cookie = ''
  /** Titles of the pages that the user saw, in order. */
  const asked: string[] = []

  function keepCookie(answer: Answer): Answer {
    const header = answer.headers['set-cookie']
    if (header !== undefined) cookie = String(header).split(';', 1)[0] ?? ''
    return answer
  }

  /** Follows redirects as long as they stay on the sandbox. */
  async function follow(answer: Answer): Promise<Answer> {
    const { location } = answer.headers
    if (location === undefined || !location.startsWith('/')) return answer
    return follow(keepCookie(await inject(server, 'GET', location, cookie)))
  }

  const get = async (url: string) => follow(keepCookie(await inject(server, 'GET', url, cookie)))
  const post = async (url: string, form: Parameters) =>
    follow(keepCookie(await inject(server, 'POST', url, cookie, encode(form))))

  /** Signs in and allows, as often as it is asked to, until the browser is sent to the client. */
  async function answerAs(user: string, answer: Answer): Promise<Answer> {
    if (answer.headers.location !== undefined) return answer
    const title = /<title>(.*?) · /.exec(answer.body)?.[1] ?? `status ${answer.statusCode}`
    asked.push(title)
    const { action, fields } = formOf(answer.body)
    if (title === 'Sign in') return answerAs(user, await post(action, { ...fields, user }))
    if (title.startsWith('Allow ')) {
      return answerAs(user, await post(action, { ...fields, decision: 'approve' }))
    }
    return answer
  }

  return {
    get,
    post,
    asked,
    /** Opens the address and answers whatever is asked. */
    visit: async (user: string, url: string) => answerAs(user, await get(url)),
    answerAs,
    cookie: () => cookie,
  }
}
