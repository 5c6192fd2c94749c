// Package chromium drives a headless Chromium for tests of pages. It speaks the Chrome DevTools Protocol over a pipe
// (--remote-debugging-pipe: messages of JSON, each with a zero byte behind it), which needs no network and no port.
package chromium

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Names are those under which the browser is looked for.
var Names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// ErrMissing says that there is no browser.
var ErrMissing = errors.New("there is no Chromium: install it with a package manager (Debian, Ubuntu: sudo apt-get install chromium)")

// A Browser is a running Chromium with one page.
type Browser struct {
	cmd     *exec.Cmd
	out     io.WriteCloser
	profile string
	session string

	mu      sync.Mutex
	next    int
	waiting map[int]chan message
	faults  []string // exceptions of the page's scripts, and its requests to elsewhere
	ended   error
}

// A message is one of the protocol.
type message struct {
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start starts a browser. The error is ErrMissing where there is none. Whoever starts it closes it.
func Start(ctx context.Context) (*Browser, error) {
	path := ""
	for _, name := range Names {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return nil, ErrMissing
	}
	profile, err := os.MkdirTemp("", "qd-chromium-")
	if err != nil {
		return nil, err
	}
	b := &Browser{profile: profile, waiting: make(map[int]chan message)}
	if err := b.start(ctx, path); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// start starts the process and opens a page.
func (b *Browser) start(ctx context.Context, path string) error {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return err
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return err
	}
	// No sandbox: containers seldom allow one, and the pages are our own.
	b.cmd = exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars=false",
		"--disable-background-networking", "--disable-component-update", "--user-data-dir="+b.profile, "--remote-debugging-pipe", "about:blank")
	b.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	b.out = ourOut
	err = b.cmd.Start()
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		b.cmd = nil
		return err
	}
	go b.read(ourIn)
	var targets struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	if err := b.call("Target.getTargets", nil, &targets); err != nil {
		return err
	}
	id := ""
	for _, t := range targets.TargetInfos {
		if t.Type == "page" {
			id = t.TargetID
		}
	}
	if id == "" {
		var made struct{ TargetID string }
		if err := b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
			return err
		}
		id = made.TargetID
	}
	var attached struct{ SessionID string }
	if err := b.call("Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &attached); err != nil {
		return err
	}
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network"} {
		if err := b.call(domain+".enable", nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// read takes the browser's messages to those who wait for them.
func (b *Browser) read(from io.ReadCloser) {
	defer from.Close()
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			b.ended = err
			for id, c := range b.waiting {
				close(c)
				delete(b.waiting, id)
			}
			b.mu.Unlock()
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		switch {
		case m.ID > 0:
			if c := b.waiting[m.ID]; c != nil {
				c <- m
				delete(b.waiting, m.ID)
			}
		case m.Method == "Runtime.exceptionThrown":
			b.faults = append(b.faults, string(text))
		case m.Method == "Network.requestWillBeSent":
			var sent struct {
				Params struct{ Request struct{ URL string } }
			}
			_ = json.Unmarshal(text[:len(text)-1], &sent)
			if url := sent.Params.Request.URL; len(url) > 4 && url[:4] == "http" {
				b.faults = append(b.faults, "the page asks for "+url)
			}
		}
		b.mu.Unlock()
	}
}

// call calls a method of the protocol, and decodes its result.
func (b *Browser) call(method string, params, result any) error {
	const timeout = 60 * time.Second
	b.mu.Lock()
	if b.ended != nil {
		b.mu.Unlock()
		return fmt.Errorf("%s: the browser has ended: %w", method, b.ended)
	}
	b.next++
	id := b.next
	answer := make(chan message, 1)
	b.waiting[id] = answer
	b.mu.Unlock()
	text, err := json.Marshal(message{ID: id, Method: method, Session: b.session, Params: params})
	if err != nil {
		return err
	}
	if _, err := b.out.Write(append(text, 0)); err != nil {
		return err
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: the browser has ended", method)
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		}
		return nil
	case <-time.After(timeout):
		return fmt.Errorf("%s: no answer", method)
	}
}

// Close ends the browser.
func (b *Browser) Close() {
	if b.cmd != nil && b.cmd.Process != nil {
		if b.call("Browser.close", nil, nil) != nil {
			_ = b.cmd.Process.Kill()
		}
		_ = b.cmd.Wait()
	}
	if b.out != nil {
		b.out.Close()
	}
	_ = os.RemoveAll(b.profile)
}

// Faults are the exceptions of the page's scripts so far, and what it has asked of the network.
func (b *Browser) Faults() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.faults
}

// Open loads a page and waits until a script in it gives true.
func (b *Browser) Open(url, ready string) error {
	if err := b.call("Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return err
	}
	return b.Until(ready)
}

// Until waits until a script gives true.
func (b *Browser) Until(script string) error {
	for range 300 {
		var ok bool
		if err := b.Eval("!!("+script+")", &ok); err == nil && ok {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("never true: %s; faults: %q", script, b.Faults())
}

// Eval evaluates a script and decodes its value.
func (b *Browser) Eval(script string, value any) error {
	var r struct {
		Result    struct{ Value json.RawMessage }
		Exception *struct {
			Exception struct{ Description string }
		} `json:"exceptionDetails"`
	}
	if err := b.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}, &r); err != nil {
		return err
	}
	if r.Exception != nil {
		return fmt.Errorf("%s: %s", script, r.Exception.Exception.Description)
	}
	if value == nil || r.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, value)
}

// Size sets the size of the page, and whether it is a phone's.
func (b *Browser) Size(width, height int, phone bool) error {
	scale := 1
	if phone {
		scale = 2
	}
	return b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone}, nil)
}

// Scheme sets what the user's system prefers: "light" or "dark".
func (b *Browser) Scheme(scheme string) error {
	return b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// at finds the middle of an element, given a script for it.
func (b *Browser) at(element string) (x, y float64, err error) {
	var place []float64
	err = b.Eval("(() => { const e = "+element+"; e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.left + Math.min(r.width, 400) / 2, r.top + r.height / 2]; })()", &place)
	if err == nil && len(place) != 2 {
		err = fmt.Errorf("no place: %s", element)
	}
	if err != nil {
		return 0, 0, err
	}
	return place[0], place[1], nil
}

// Hover moves the mouse over an element.
func (b *Browser) Hover(element string) error {
	x, y, err := b.at(element)
	if err != nil {
		return err
	}
	return b.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y}, nil)
}

// Click clicks on an element.
func (b *Browser) Click(element string) error {
	x, y, err := b.at(element)
	if err != nil {
		return err
	}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		if err := b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil); err != nil {
			return err
		}
	}
	return nil
}

// Press presses a key, by its name in KeyboardEvent.key.
func (b *Browser) Press(key string) error {
	params := map[string]any{"key": key}
	if len([]rune(key)) == 1 {
		params["text"] = key
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		params["type"] = kind
		if err := b.call("Input.dispatchKeyEvent", params, nil); err != nil {
			return err
		}
	}
	return nil
}

// Screenshot is a picture of the page, as PNG.
func (b *Browser) Screenshot() ([]byte, error) {
	var shot struct{ Data string }
	if err := b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot.Data)
}
