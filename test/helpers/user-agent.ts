import { formOf } from './page.ts'

/**
 * What a user does in a browser, over real sockets: sign in, read the page, press the button. It keeps no more of a
 * browser than the session cookie and `Origin`.
 */
export interface UserAgent {
  /** Follows an authorization URL through sign-in and consent. @returns where the browser is sent in the end */
  authorize(url: URL | string, decision?: 'approve' | 'deny'): Promise<URL>
  /** Types the code of a device and answers. @returns the text of the last page */
  answerDevice(verificationUri: string, userCode: string, decision?: string): Promise<string>
}

export function createUserAgent(user: string): UserAgent {
  let cookie: string | undefined

  async function send(url: URL | string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        ...(cookie === undefined ? {} : { cookie }),
        ...(form === undefined ? {} : { origin: new URL(url).origin }),
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return response
  }

  const target = (response: Response, base: URL | string) =>
    new URL(response.headers.get('location') ?? '', base)

  /** Opens a page of the sandbox, by way of the login page where that comes first. */
  async function open(url: URL | string): Promise<Response> {
    const response = await send(url)
    const login = target(response, url)
    if (response.status !== 303 || login.pathname !== '/login') return response
    const { fields } = formOf(await (await send(login)).text())
    const signedIn = await send(new URL('/login', login), { ...fields, user })
    return send(target(signedIn, login))
  }

  /** Page that a browser shows after a form, redirects followed. */
  async function follow(answer: Response, base: URL | string): Promise<Response> {
    return answer.status === 303 ? send(target(answer, base)) : answer
  }

  async function submit(page: Response, base: URL | string, more: Record<string, string>) {
    const { action, fields } = formOf(await page.text())
    return send(new URL(action, base), { ...fields, ...more })
  }

  return {
    async authorize(url, decision = 'approve') {
      const page = await open(url)
      if (page.status === 303) return target(page, url)
      return target(await submit(page, url, { decision }), url)
    },
    async answerDevice(verificationUri, userCode, decision = 'approve') {
      const entry = await open(verificationUri)
      const entered = await submit(entry, verificationUri, { user_code: userCode })
      const consent = await follow(entered, verificationUri)
      const answered = await submit(consent, verificationUri, { decision })
      return (await follow(answered, verificationUri)).text()
    },
  }
}
