import NextAuth from 'next-auth'
import HuggingFace from 'next-auth/providers/huggingface'

// AUTH_SECRET is read by the library itself.
export const { auth, handlers, signIn, signOut } = NextAuth({
  trustHost: true,
  providers: [
    HuggingFace({
      issuer: process.env.OPENID_PROVIDER_URL ?? 'https://huggingface.co',
      clientId: process.env.OAUTH_CLIENT_ID,
      clientSecret: process.env.OAUTH_CLIENT_SECRET,
      // A public app has no secret.
      client: process.env.OAUTH_CLIENT_SECRET ? {} : { token_endpoint_auth_method: 'none' },
      authorization: { params: { scope: 'openid profile email' } },
    }),
  ],
  // Where the library says what went wrong, instead of at its own page.
  pages: { signIn: '/', error: '/' },
})
