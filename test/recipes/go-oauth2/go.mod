module example.com/sign-in

go 1.24

require (
	github.com/coreos/go-oidc/v3 v3.14.1
	golang.org/x/oauth2 v0.30.0
)

require (
	github.com/go-jose/go-jose/v4 v4.0.5 // indirect
	golang.org/x/crypto v0.36.0 // indirect
)
