import { auth, signIn, signOut } from '../auth.js'

async function enter() {
  'use server'
  await signIn('huggingface', { redirectTo: '/' })
}

async function leave() {
  'use server'
  await signOut({ redirectTo: '/' })
}

export default async function Page({ searchParams }) {
  const session = await auth()
  const { error } = await searchParams
  return (
    <>
      {error && <p role="alert">The sign-in failed: {error}</p>}
      <p>{session ? `Signed in as ${session.user.email}` : 'Not signed in'}</p>
      <form action={session ? leave : enter}>
        <button>{session ? 'Sign out' : 'Sign in'}</button>
      </form>
    </>
  )
}
