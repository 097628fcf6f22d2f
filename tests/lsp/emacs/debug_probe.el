;;; debug_probe.el --- Debugs a module in Emacs with dap-mode, without a screen -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0

;; Runs in the folder of loop.hlo; exits with 1 if anything surprises.  HLOSCOPE_DAP names the adapter.

(defvar probe-failures 0)
(defun probe-check (what good seen)
  (princ (format "%s %s%s\n" (if good "ok:" "FAILED:") what (if good "" (format ": %S" seen))))
  (unless good (setq probe-failures (1+ probe-failures))))
(defun probe-wait (condition)
  "Wait until CONDITION is true, at most 30 seconds; return what it is."
  (let ((end (+ (float-time) 30)) value)
    (while (and (not (setq value (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    value))

(defvar probe-stops nil "Reasons of the stops so far.")

(defun probe ()
  (add-to-list 'load-path (getenv "HLOSCOPE_EDITORS"))
  (require 'hloscope)
  (require 'hloscope-debug)
  (setq hloscope-adapter-command (getenv "HLOSCOPE_DAP")
        dap-auto-configure-features nil
        dap-print-io nil)
  (add-hook 'dap-stopped-hook (lambda (session) (push session probe-stops)))
  (find-file "loop.hlo")
  (probe-check "a module has its mode" (eq major-mode 'hlo-mode) major-mode)
  (dap-debug (list :type "hlo" :request "launch" :name "probe" :fill "iota" :stopOnEntry t))
  (probe-check "it stops before the first instruction" (probe-wait (lambda () probe-stops)) probe-stops)
  (let* ((session (dap--cur-session))
         (ask (lambda (command arguments)
                (let (answer)
                  (dap--send-message (dap--make-request command arguments)
                                     (lambda (message) (setq answer message)) session)
                  (probe-wait (lambda () answer))))))
    (let ((threads (funcall ask "threads" nil)))
      (probe-check "its device" (equal (gethash "id" (elt (gethash "threads" (gethash "body" threads)) 0)) 1) threads))
    (setq probe-stops nil)
    (dap-next session)
    (probe-check "it steps" (probe-wait (lambda () probe-stops)) probe-stops)
    (let ((value (funcall ask "evaluate" '(:expression "x + x" :context "repl"))))
      (probe-check "values" (equal (gethash "result" (gethash "body" value)) "f64[4] {0, 2, 4, 6}") (gethash "body" value)))
    (let ((help (funcall ask "evaluate" '(:expression "help" :context "repl"))))
      (probe-check "help" (string-match-p "looking at values" (gethash "result" (gethash "body" help))) (gethash "body" help)))
    (funcall ask "disconnect" '(:terminateDebuggee t))))

(condition-case problem
    (probe)
  (error (probe-check "no surprise" nil problem)))
(kill-emacs (if (= probe-failures 0) 0 1))
;;; debug_probe.el ends here
