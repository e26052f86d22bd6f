describe('the app', () => {
  beforeEach(() => {
    cy.task('resetHub')
  })

  it('signs its users in', () => {
    // The hub is on localhost, too: browsers share cookies between ports.
    cy.task('hubSession', 'alice').then(({ name, value }) => cy.setCookie(name, value))
    cy.visit('/')
    cy.contains('Sign in').click()
    cy.origin(Cypress.env('HF_ENDPOINT'), () => {
      cy.contains('button', 'Allow').click()
    })
    cy.contains('Hello, alice')
    cy.task('assertSignedIn', { user: 'alice', scope: 'openid profile' })
  })
})
