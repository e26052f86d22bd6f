// An app whose users sign in at the hub.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "8000"
	}
	log.Fatal(http.ListenAndServe("localhost:"+port, New()))
}

// checks is what a sign-in must prove when it comes back.
type checks struct{ nonce, verifier string }

// New returns the app.
func New() http.Handler {
	// The sign-ins that have begun, by their state.
	var begun sync.Map
	mux := http.NewServeMux()
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		state, kept := random(), checks{nonce: random(), verifier: random()}
		begun.Store(state, kept)
		http.SetCookie(w, &http.Cookie{Name: "my_app_state", Value: state, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
		http.Redirect(w, r, loginURL(redirectURI(r), state, kept), http.StatusFound)
	})
	mux.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		state := r.FormValue("state")
		cookie, err := r.Cookie("my_app_state")
		// In another browser than the one that began, the callback would sign in a stranger.
		if err != nil || cookie.Value != state {
			http.Error(w, "This sign-in did not begin here.", http.StatusBadRequest)
			return
		}
		kept, known := begun.LoadAndDelete(state)
		if !known {
			http.Error(w, "This sign-in did not begin here.", http.StatusBadRequest)
			return
		}
		if r.FormValue("code") == "" {
			http.Error(w, "You have not signed in.", http.StatusForbidden)
			return
		}
		name, err := userOf(r.FormValue("code"), redirectURI(r), kept.(checks))
		if err != nil {
			http.Error(w, "The sign-in failed: "+err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, "<p>Hello, %s</p>", html.EscapeString(name))
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<a href="/login">Sign in</a>`)
	})
	return mux
}

func redirectURI(r *http.Request) string {
	return "http://" + r.Host + "/callback"
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func loginURL(redirectURI, state string, kept checks) string {
	digest := sha256.Sum256([]byte(kept.verifier))
	query := url.Values{
		"response_type":         {"code"},
		"client_id":             {os.Getenv("OAUTH_CLIENT_ID")},
		"redirect_uri":          {redirectURI},
		"scope":                 {"openid profile"},
		"state":                 {state},
		"nonce":                 {kept.nonce},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(digest[:])},
		"code_challenge_method": {"S256"},
	}
	return hub("/oauth/authorize?" + query.Encode())
}

// userOf returns the name of the user who came back with a code.
func userOf(code, redirectURI string, kept checks) (string, error) {
	form := url.Values{
		"grant_type":    {"authorization_code"},
		"code":          {code},
		"redirect_uri":  {redirectURI},
		"code_verifier": {kept.verifier},
	}
	exchange, err := http.NewRequest("POST", hub("/oauth/token"), strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	exchange.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	exchange.SetBasicAuth(os.Getenv("OAUTH_CLIENT_ID"), os.Getenv("OAUTH_CLIENT_SECRET"))
	var token struct {
		AccessToken string `json:"access_token"`
		IDToken     string `json:"id_token"`
	}
	if err := ask(exchange, &token); err != nil {
		return "", err
	}
	subject, err := subjectOf(token.IDToken, kept.nonce)
	if err != nil {
		return "", err
	}
	userinfo, err := http.NewRequest("GET", hub("/oauth/userinfo"), nil)
	if err != nil {
		return "", err
	}
	userinfo.Header.Set("Authorization", "Bearer "+token.AccessToken)
	var user struct {
		Subject string `json:"sub"`
		Name    string `json:"preferred_username"`
	}
	if err := ask(userinfo, &user); err != nil {
		return "", err
	}
	if user.Subject != subject {
		return "", errors.New("this is the user of another sign-in")
	}
	return user.Name, nil
}

// subjectOf checks all of an ID token but its signature: it comes from the hub itself (OpenID Connect Core 3.1.3.7).
func subjectOf(idToken, nonce string) (string, error) {
	parts := strings.Split(idToken, ".")
	if len(parts) != 3 {
		return "", errors.New("the ID token is not a JWT")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return "", err
	}
	var claims struct {
		Issuer   string  `json:"iss"`
		Audience string  `json:"aud"`
		Subject  string  `json:"sub"`
		Nonce    string  `json:"nonce"`
		IssuedAt float64 `json:"iat"`
		Expires  float64 `json:"exp"`
	}
	if err := json.Unmarshal(payload, &claims); err != nil {
		return "", err
	}
	isOurs := claims.Issuer == hub("") && claims.Audience == os.Getenv("OAUTH_CLIENT_ID") && claims.Nonce == nonce
	isCurrent := claims.IssuedAt > 0 && claims.Expires > float64(time.Now().Unix())
	if !isOurs || !isCurrent || claims.Subject == "" {
		return "", errors.New("this is another ID token")
	}
	return claims.Subject, nil
}

func hub(path string) string {
	return os.Getenv("OPENID_PROVIDER_URL") + path
}

func ask(request *http.Request, answer any) error {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		return fmt.Errorf("%s answered %s", request.URL, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
