// Signs in at the hub with PKCE and shows who it is.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"html"
	"log"
	"net/http"
	"os"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

func main() {
	address := "localhost:" + env("PORT", "3000")
	provider, err := oidc.NewProvider(context.Background(), env("OPENID_PROVIDER_URL", "https://huggingface.co"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("OAUTH_CLIENT_ID"),
		ClientSecret: os.Getenv("OAUTH_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "http://" + address + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
	// The sign-ins under way: what each came with is the key to what it must prove.
	var underWay sync.Map

	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if user, err := r.Cookie("my_app_user"); err == nil {
			fmt.Fprintf(w, `<p>Signed in as %s</p><form action="/logout" method="post"><button>Sign out</button></form>`, html.EscapeString(user.Value))
			return
		}
		fmt.Fprint(w, `<p>Not signed in</p><a href="/login">Sign in</a>`)
	})

	http.HandleFunc("GET /login", func(w http.ResponseWriter, r *http.Request) {
		state, secret := rand.Text(), oauth2.GenerateVerifier()
		underWay.Store(state, secret)
		http.SetCookie(w, &http.Cookie{Name: "my_app_state", Value: state, Path: "/", HttpOnly: true})
		http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(secret)), http.StatusSeeOther)
	})

	http.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		state, err := r.Cookie("my_app_state")
		if err != nil || state.Value != r.FormValue("state") {
			http.Error(w, "This sign-in was not begun here.", http.StatusBadRequest)
			return
		}
		secret, known := underWay.LoadAndDelete(state.Value)
		if !known {
			http.Error(w, "This sign-in took too long.", http.StatusBadRequest)
			return
		}
		if r.FormValue("error") != "" {
			http.Error(w, "Not signed in: "+r.FormValue("error_description"), http.StatusForbidden)
			return
		}
		token, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(secret.(string)))
		if err != nil {
			http.Error(w, "Not signed in: "+err.Error(), http.StatusForbidden)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		checked, err := verifier.Verify(r.Context(), raw)
		if err != nil {
			http.Error(w, "Not signed in: "+err.Error(), http.StatusForbidden)
			return
		}
		// The library checks neither: an ID token must name its user, and when it was issued.
		if checked.Subject == "" || checked.IssuedAt.Unix() <= 0 {
			http.Error(w, "Not signed in: the ID token lacks sub or iat.", http.StatusForbidden)
			return
		}
		var claims struct {
			Username string `json:"preferred_username"`
		}
		if err := checked.Claims(&claims); err != nil {
			http.Error(w, "Not signed in: "+err.Error(), http.StatusForbidden)
			return
		}
		// An app of yours would sign this, or keep sessions.
		http.SetCookie(w, &http.Cookie{Name: "my_app_user", Value: claims.Username, Path: "/", HttpOnly: true})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})

	http.HandleFunc("POST /logout", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "my_app_user", Path: "/", MaxAge: -1})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})

	log.Fatal(http.ListenAndServe(address, nil))
}
