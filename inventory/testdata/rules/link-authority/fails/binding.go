package vmaf

/*
#cgo CFLAGS: -I${SRCDIR}/../include
#cgo LDFLAGS: -L${SRCDIR}/../build/src -lvmaf -lm // want: link-authority
*/
import "C"
